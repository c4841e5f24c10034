import { describe, expect, test } from 'vitest';
import { findFaults } from '../../support/accessibility.ts';
import { useFixture } from '../../support/extension-fixture.ts';
import { openInState, POPUP_STATES } from '../../support/popup-states.ts';

/** Browsers limit a popup to 800 by 600 px, which is this size at 200 % zoom. */
const ZOOMED = { width: 400, height: 300 };

describe.each(['en', 'ar'])('the popup in %s is accessible and fits', (locale) => {
  const fixture = useFixture({ locale });

  test.each(POPUP_STATES)('$name', (state) =>
    openInState(fixture, state, async (popup) => {
      expect(await findFaults(popup)).toEqual([]);
      await popup.setViewport(ZOOMED);
      expect(await findFaults(popup)).toEqual([]);
    }),
  );
});
