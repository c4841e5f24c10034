import type { Page } from 'puppeteer-core';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { ADMIN_ENDPOINTS } from '../../../../shared/api/admin-endpoints.ts';
import { createApiClient } from '../../../../shared/api/client.ts';
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
  const admin = createApiClient(ADMIN_ENDPOINTS, {
    baseUrl: fixture.server.baseUrl,
    token: ADMIN_TOKEN,
  });
  for (const host of ['go.example', LONG_HOST])
    dataOf(await admin.adminAddDomain({ body: { host } }));
});

/** The extension learns of the domains from its settings. */
beforeEach(async () => {
  const page = await fixture.chromium.openExtensionPage('options.html');
  await page.waitForSelector('select[name="domain"]');
  await page.close();
});

const hostOf = (link: { shortUrl: string } | undefined) => link && new URL(link.shortUrl).host;
const own = () => new URL(fixture.server.baseUrl).host;

/** Chooses a domain, and waits until a link on it is shown and copied. */
async function choose(popup: Page, host: string): Promise<void> {
  await popup.locator('.link > .alias').click();
  await popup.waitForSelector(CHOICE);
  await popup.select(CHOICE, host);
  await shows(popup, host);
}

/** The domain is text until it is clicked. */
async function shows(popup: Page, host: string): Promise<void> {
  await popup.waitForFunction(
    (shown) => {
      const status = document.querySelector('[role=status]')?.textContent ?? '';
      const domain = document.querySelector('.link > .alias')?.textContent;
      return domain === shown && status.includes('copied');
    },
    {},
    host,
  );
}

test('the popup moves a new link to another domain, and finds that of an existing one', async () => {
  const popup = await openPopup(fixture);
  await shows(popup, own());
  expect(await findFaults(popup)).toEqual([]);
  await popup.locator('.link > .alias').click();
  await popup.waitForSelector(`${CHOICE}:focus`);
  expect(await findFaults(popup)).toEqual([]);
  await popup.select(CHOICE, LONG_HOST);
  await shows(popup, LONG_HOST);
  expect(await findLayoutFaults(popup)).toEqual([]);
  await choose(popup, 'go.example');
  const [moved, ...others] = await savedLinks(fixture);
  expect([hostOf(moved), others]).toEqual(['go.example', []]);
  const offered = () => popup.$$eval('.status-line button', ([undo]) => undo?.textContent);
  await expect.poll(offered).toBe('Undo');
  // Reading it closes the popup.
  expect(await fixture.chromium.readClipboard()).toBe(moved?.shortUrl);

  // The choice was for that link: the next one is on the server's own domain.
  const again = await openPopup(fixture);
  await shows(again, own());
  await again.close();
  const existing = await openPopup(fixture);
  await expectStatus(existing, 'Already shortened, link copied');
  await choose(existing, 'go.example');
  expect(await fixture.chromium.readClipboard()).toBe(moved?.shortUrl);
  expect(await savedLinks(fixture)).toHaveLength(2);
});

test('the form of a new link chooses the domain, and that of a link moves it to another one', async () => {
  const popup = await openForm(fixture);
  await popup.select('.link-form select[name="domain"]', 'go.example');
  await fill(popup, 'Custom alias', 'formed');
  expect(await findFaults(popup)).toEqual([]);
  await press(popup, 'Shorten');
  await expectStatus(popup, 'Short link copied');
  expect((await savedLinks(fixture))[0]?.shortUrl).toBe('http://go.example/formed');
  await press(popup, 'More');
  await popup.waitForSelector('.link-form select[name="domain"]');
  await popup.select('.link-form select[name="domain"]', own());
  await press(popup, 'Save');
  await popup.waitForSelector('.link-form', { hidden: true });
  await expectStatus(popup, 'Short link copied');
  const moved = `${fixture.server.baseUrl}/formed`;
  const saved = async () => (await savedLinks(fixture)).map(({ shortUrl }) => shortUrl);
  await expect.poll(saved).toEqual([moved]);
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
