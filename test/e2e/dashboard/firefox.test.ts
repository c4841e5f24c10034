import type { Browser, Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createClient } from '../../../shared/client.ts';
import type { Chromium } from '../support/browser/chromium.ts';
import { click } from '../support/browser/click.ts';
import { endBrowser } from '../support/browser/close-all.ts';
import { launchFirefox } from '../support/browser/plain-firefox.ts';
import { openSharedChromium } from '../support/browser/shared-chromium.ts';
import { follow, headingOf, signInWith, textOf } from '../support/dashboard/dashboard-fixture.ts';
import { fill, press } from '../support/extension/extension-fixture.ts';
import { chooseInRow } from '../support/extension/links-page.ts';
import { type AppServer, startAppServer } from '../support/servers/app-server.ts';
import { type Site, startSite } from '../support/servers/site.ts';

const TOKEN_FIELD = 'input[name="token"]';

let firefox: Browser;
let chromium: Chromium;
let server: AppServer;
let site: Site;
let page: Page;

beforeAll(async () => {
  [firefox, chromium, server, site] = await Promise.all([
    launchFirefox(),
    openSharedChromium(),
    startAppServer(),
    startSite(),
  ]);
});

afterAll(async () => {
  await endBrowser(firefox);
  await chromium?.close();
  await server?.stop();
  await site?.stop();
});

beforeEach(async () => {
  page = await firefox.newPage();
});

afterEach(async () => {
  await page.close();
});

/** Shortens a URL on the home page in Firefox, and opens the dashboard with the new account. */
async function createWithoutExtension(url: string) {
  await page.goto(server.baseUrl);
  await page.type('#original-url', url);
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  expect(await headingOf(page)).toBe('Short link created');
  const created = {
    token: await page.$eval('#token', (field) => field.getAttribute('value') ?? ''),
    shortUrl: await page.$eval('#short-url', (link) => link.getAttribute('href') ?? ''),
  };
  await follow(page, 'Open the dashboard');
  await page.waitForSelector('.row');
  return created;
}

async function changeTarget(within: Page, target: string): Promise<void> {
  await chooseInRow(within, 'Edit');
  await fill(within, 'Destination', target);
  await press(within, 'Save');
  await within.waitForSelector('.link-editor-dialog[open]', { hidden: true });
}

const shownTarget = (within: Page) =>
  within.$eval('.row .target', (target) => target.getAttribute('title'));

/** Follows a short link as a person does. @returns where it led */
async function visit(shortUrl: string): Promise<string> {
  const tab = await firefox.newPage();
  await tab.goto(shortUrl);
  const url = tab.url();
  await tab.close();
  return url;
}

test('without the extension: create, edit, visit, sign out, sign in with the token, see the visit', async () => {
  const { token, shortUrl } = await createWithoutExtension(`${site.origin}/before`);
  await changeTarget(page, `${site.origin}/after`);
  expect(await visit(shortUrl)).toBe(`${site.origin}/after`);

  await press(page, 'Sign out');
  await page.waitForSelector(TOKEN_FIELD);
  await expect.poll(() => textOf(page)).toContain('You are signed out.');
  await page.type(TOKEN_FIELD, token);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.row');

  const client = createClient({ baseUrl: server.baseUrl });
  // Visits are counted in the background.
  await expect
    .poll(() => client.getStatistics({ token }))
    .toMatchObject({ data: { totals: { people: 1 } } });
  await follow(page, 'Statistics');
  const picture = await page.waitForSelector('svg[role="img"]');
  const name = () => picture?.evaluate((svg) => svg.getAttribute('aria-label'));
  await expect.poll(name).toMatch(/Visits: 1, Visitors: 1\.$/);
  const browsers = () =>
    page.$$eval('.top tbody tr', (rows) => rows.map((row) => row.firstElementChild?.textContent));
  await expect.poll(browsers).toContain('Firefox');
});

test('Chromium and Firefox with one account: what one edits, the other one shows', async () => {
  const { token } = await createWithoutExtension(`${site.origin}/shared`);
  const other = await chromium.openPage('about:blank');
  await signInWith(other, server, token);
  await other.waitForSelector('.row');

  await changeTarget(page, `${site.origin}/edited-in-firefox`);
  await other.reload();
  await other.waitForSelector('.row');
  await expect.poll(() => shownTarget(other)).toBe(`${site.origin}/edited-in-firefox`);

  await changeTarget(other, `${site.origin}/edited-in-chromium`);
  await page.reload();
  await page.waitForSelector('.row');
  await expect.poll(() => shownTarget(page)).toBe(`${site.origin}/edited-in-chromium`);
});

test('corrects what a column of an imported table was taken for', async () => {
  const { token } = await createWithoutExtension(`${site.origin}/imports`);
  await page.goto(`${server.baseUrl}/dashboard/account`);
  await click(page, '.import-choose summary');
  const table = 'Page,Destination,Slug\nhttps://a.example/1,https://b.example/x.png,fox';
  await fill(page, 'One URL a line, or a table', table);
  await press(page, 'Preview');
  await expect.poll(() => textOf(page)).toContain('1 link would be added.');
  await page.select('select[aria-label="Meaning of “Page”"]', 'originalUrl');
  await expect.poll(() => textOf(page)).toContain('Not imported: Destination');
  await press(page, 'Import now');
  await expect.poll(() => textOf(page)).toContain('1 link was added.');
  const client = createClient({ baseUrl: server.baseUrl });
  expect(await client.getLink({ alias: 'fox', token })).toMatchObject({
    data: { originalUrl: 'https://a.example/1' },
  });
});
