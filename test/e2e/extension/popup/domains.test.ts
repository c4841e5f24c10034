import type { Page } from 'puppeteer-core';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createAdminClient } from '../../../../shared/client/admin-methods.ts';
import { dataOf } from '../../../support/data-of.ts';
import { findFaults } from '../../support/checks/accessibility.ts';
import { findLayoutFaults } from '../../support/checks/layout-faults.ts';
import { ADMIN_TOKEN } from '../../support/dashboard/admin-fixture.ts';
import {
  expectStatus,
  fill,
  openForm,
  openPopup,
  press,
  savedLinks,
  useFixture,
} from '../../support/extension/extension-fixture.ts';
import { expectText, openLinks, titles } from '../../support/extension/links-page.ts';

const fixture = useFixture({ env: { ADMIN_TOKEN } });
const CHOICE = '.link select[name="domain"]';
const LONG_HOST = 'a-rather-long-name-of-a-host.example';

beforeAll(async () => {
  const admin = createAdminClient({ baseUrl: fixture.server.baseUrl, token: ADMIN_TOKEN });
  for (const host of ['go.example', LONG_HOST]) dataOf(await admin.addDomain({ host }));
});

/** The extension learns of the domains from its settings. */
beforeEach(async () => {
  const page = await fixture.chromium.openExtensionPage('options.html');
  await page.waitForSelector('select[name="domain"]');
  await page.close();
});

const hostOf = (link: { shortUrl: string } | undefined) => link && new URL(link.shortUrl).host;
const own = () => new URL(fixture.server.baseUrl).host;

/** Chooses a domain, and waits until its link is shown and copied. */
async function choose(popup: Page, host: string): Promise<void> {
  const alias = await popup.$eval('output', (output) => output.textContent);
  await popup.select(CHOICE, host);
  await popup.waitForFunction(
    (before) => {
      const shown = document.querySelector('output')?.textContent ?? before;
      const status = document.querySelector('[role=status]')?.textContent ?? '';
      return shown !== before && status.includes('copied');
    },
    {},
    alias,
  );
}

test('the popup has the domain before the alias, remembers it, and shows again only a link on it', async () => {
  const popup = await openPopup(fixture);
  await expectStatus(popup, 'Short link copied');
  expect(await popup.$eval(CHOICE, ({ value }) => value)).toBe(own());
  expect(await findFaults(popup)).toEqual([]);
  await choose(popup, LONG_HOST);
  expect(await findLayoutFaults(popup)).toEqual([]);
  expect(await popup.$eval(CHOICE, (one) => getComputedStyle(one).textOverflow)).toBe('ellipsis');
  await choose(popup, 'go.example');
  const [newest, , oldest] = await savedLinks(fixture);
  expect([hostOf(newest), hostOf(oldest)]).toEqual(['go.example', own()]);
  // Reading it closes the popup.
  expect(await fixture.chromium.readClipboard()).toBe(newest?.shortUrl);

  const again = await openPopup(fixture);
  await again.waitForSelector(CHOICE);
  expect(await again.$eval(CHOICE, ({ value }) => value)).toBe('go.example');
  await choose(again, own());
  expect(await fixture.chromium.readClipboard()).toBe(oldest?.shortUrl);
  expect(await savedLinks(fixture)).toHaveLength(3);
});

test('the form of a new link chooses the domain, and that of a link moves it to another one', async () => {
  const popup = await openForm(fixture);
  await popup.select('.form select[name="domain"]', 'go.example');
  await fill(popup, 'Custom alias', 'formed');
  expect(await findFaults(popup)).toEqual([]);
  await press(popup, 'Shorten');
  await expectStatus(popup, 'Short link copied');
  expect((await savedLinks(fixture))[0]?.shortUrl).toBe('http://go.example/formed');
  await press(popup, 'More');
  await popup.waitForSelector('.form select[name="domain"]');
  await popup.select('.form select[name="domain"]', own());
  await press(popup, 'Save');
  await popup.waitForSelector('.form', { hidden: true });
  await expectStatus(popup, 'Short link copied');
  const moved = `${fixture.server.baseUrl}/formed`;
  expect((await savedLinks(fixture)).map(({ shortUrl }) => shortUrl)).toEqual([moved]);
  expect(await fixture.chromium.readClipboard()).toBe(moved);
});

test('the settings have the domain of new links, by which the list is filtered', async () => {
  const options = await fixture.chromium.openExtensionPage('options.html');
  await options.waitForSelector('select[name="domain"]');
  expect(await findFaults(options)).toEqual([]);
  await options.select('select[name="domain"]', 'go.example');
  await expectText(options, 'Saved');
  const popup = await openPopup(fixture);
  await expectStatus(popup, 'Short link copied');
  expect(hostOf((await savedLinks(fixture))[0])).toBe('go.example');
  await popup.close();

  const links = await openLinks(fixture);
  await links.waitForSelector('.filters select[name="domain"]');
  await expect.poll(() => titles(links)).toHaveLength(1);
  await links.select('.filters select[name="domain"]', own());
  await expect.poll(() => titles(links)).toEqual([]);
  await links.select('.filters select[name="domain"]', 'go.example');
  await expect.poll(() => titles(links)).toHaveLength(1);
});
