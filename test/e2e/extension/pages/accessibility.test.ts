import type { Page } from 'puppeteer-core';
import { describe, expect, test } from 'vitest';
import { findColorFaults, findFaults, setColorMode } from '../../support/checks/accessibility.ts';
import { findLayoutFaults } from '../../support/checks/layout-faults.ts';
import { findHiddenFocus, findWalkFaults } from '../../support/checks/walk-by-keyboard.ts';
import { useFixture } from '../../support/extension/extension-fixture.ts';
import { manyLinks, saveLinks } from '../../support/extension/links-page.ts';
import { openInState, POPUP_STATES } from '../../support/extension/popup-states.ts';

/** Browsers limit a popup to 800 by 600 px, which is this size at 200 % zoom. */
const ZOOMED = { width: 400, height: 300 };
/** They have all kinds of colors. */
const COLORFUL = [
  'done, with all facts',
  'the form, with an invalid value',
  'queued, with the queue open',
  'rate limited',
  'an error, with an unknown token',
];

describe.each(['en', 'ar'])('in %s', (locale) => {
  const fixture = useFixture({ locale });

  // One test for all checks, since reaching a state takes longer than the checks.
  test.each(POPUP_STATES.filter(({ alike }) => locale === 'en' || !alike))(
    'the popup is accessible, fits and has a visible focus in tab order: $name',
    (state) =>
      openInState(fixture, state, async (popup, name) => {
        const viewport = popup.viewport();
        // axe finds the same in every language and size.
        const findFaultsOnce = locale === 'en' ? findFaults : findLayoutFaults;
        expect(await findFaultsOnce(popup), name).toEqual([]);
        if (locale === 'en' && COLORFUL.includes(name)) {
          expect(await findColorFaults(popup), name).toEqual([]);
        }
        await popup.setViewport(ZOOMED);
        expect(await findLayoutFaults(popup), name).toEqual([]);
        await popup.setViewport(viewport);
        if (state.hangs) return;
        await expectTabOrder(popup, name);
        if (locale === 'en') await expectFocusInOtherColors(popup, name);
      }),
  );

  test.each([
    ['options', '.test-result'],
    ['welcome', 'kbd'],
    // The rows load before it.
    ['links', '.tag-field .input'],
    ['statistics', 'main p'],
  ])(
    'on the page %s, Tab reaches all controls in order with a visible focus',
    async (name, lastPart) => {
      await saveLinks(fixture, manyLinks(3));
      const page = await fixture.chromium.openExtensionPage(`${name}.html`);
      await page.waitForSelector(lastPart);
      await expectTabOrder(page, name);
      if (locale === 'en') await expectFocusInOtherColors(page, name);
      await page.close();
    },
  );
});

async function expectTabOrder(page: Page, name: string): Promise<void> {
  await setColorMode(page, 'light');
  expect(await findWalkFaults(page), name).toEqual([]);
}

async function expectFocusInOtherColors(page: Page, name: string): Promise<void> {
  for (const mode of ['dark', 'forced colors'] as const) {
    await setColorMode(page, mode);
    expect(await findHiddenFocus(page), name).toEqual([]);
  }
}
