import { expect, test } from 'vitest';
import { findFaults } from '../../support/checks/accessibility.ts';
import {
  issueAt,
  openPart,
  openParts,
  openRules,
  outcomes,
  ruleTargets,
  typeInto,
} from '../../support/checks/rules-editor.ts';
import {
  expectStatus,
  openForm,
  openPopup,
  press,
  savedLinks,
  shownLink,
  useFixture,
} from '../../support/extension/extension-fixture.ts';

const PHONE = 'https://example.com/phone';
const GERMAN = 'https://example.com/de';

const fixture = useFixture();

test('the popup creates a link with rules, tries them, and keeps a draft of them', async () => {
  let popup = await openForm(fixture);
  await openRules(popup);
  await press(popup, 'Add rule');
  await typeInto(popup, 'rules.0.originalUrl', PHONE);
  await popup.close();

  popup = await openPopup(fixture);
  await expectStatus(popup, 'Ready to shorten this page');
  await openParts(popup);
  await popup.waitForSelector('.rule');
  await expect.poll(() => ruleTargets(popup)).toEqual([PHONE]);
  await press(popup, 'Add rule');
  await press(popup, 'Shorten');
  await expect.poll(() => issueAt(popup, 'rules.1.originalUrl')).toBe('Enter a URL.');
  expect(await findFaults(popup)).toEqual([]);
  await typeInto(popup, 'rules.1.originalUrl', GERMAN);
  await openPart(popup, 'Try it');
  await expect
    .poll(() => outcomes(popup))
    .toEqual([expect.stringMatching(/^No rule matches http/)]);
  await press(popup, 'Move up: Rule 2');
  await press(popup, 'Shorten');
  const shortUrl = await shownLink(popup, 'Short link copied');
  const [saved] = await savedLinks(fixture);
  expect(saved?.shortUrl).toBe(shortUrl);
  expect(saved?.rules).toEqual([
    { device: 'phone', originalUrl: GERMAN },
    { device: 'phone', originalUrl: PHONE },
  ]);
});
