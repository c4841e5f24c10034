import { expect, test } from 'vitest';
import { createClient } from '../../../../shared/client.ts';
import { findFaults } from '../../support/checks/accessibility.ts';
import {
  issueAt,
  openPart,
  openRules,
  outcomes,
  ruleTargets,
  typeInto,
} from '../../support/checks/rules-editor.ts';
import { openAccount } from '../../support/dashboard/dashboard-fixture.ts';
import {
  expectStatus,
  openForm,
  openPopup,
  press,
  savedLinks,
  saveTokens,
  shownLink,
  useFixture,
} from '../../support/extension/extension-fixture.ts';
import { chooseInRow, openLinks } from '../../support/extension/links-page.ts';

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
  await popup.waitForSelector('.rule');
  expect(await ruleTargets(popup)).toEqual([PHONE]);
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
  expect(saved?.serverState?.rules).toEqual([
    { device: 'phone', originalUrl: GERMAN },
    { device: 'phone', originalUrl: PHONE },
  ]);
});

test('the list edits the rules of a link, and undoes that', async () => {
  const client = createClient({ baseUrl: fixture.server.baseUrl });
  const link = { originalUrl: 'https://example.com/', title: 'First' };
  const { alias, authToken: token } = await openAccount(fixture.server, link);
  await saveTokens(fixture, { [fixture.server.baseUrl]: token });
  const rules = async () => {
    const read = await client.readLink({ alias, token });
    return read.ok ? read.data.rules : read.code;
  };
  const page = await openLinks(fixture);
  await chooseInRow(page, 'Edit');
  await openRules(page);
  await press(page, 'Add rule');
  await typeInto(page, 'rules.0.originalUrl', PHONE);
  await press(page, 'Save');
  await expect.poll(rules).toEqual([{ device: 'phone', originalUrl: PHONE }]);
  await page.waitForSelector('.link-facts [title="1 rule"]');
  const statistics = await page.$eval(
    '[data-control="statistics"]',
    (one) => (one as HTMLAnchorElement).href,
  );
  const about = await fixture.chromium.openPage(statistics);
  await about.waitForSelector('.rule-list li');
  expect(await about.$eval('.rule-list li', (one) => one.textContent)).toContain(PHONE);
  await about.close();
  await page.bringToFront();
  await press(page, 'Undo');
  await expect.poll(rules).toEqual([]);
});
