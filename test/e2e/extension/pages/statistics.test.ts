import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { browser } from 'wxt/browser';
import type { CreatedLinkRecord } from '../../../../shared/links/link-record.ts';
import { findFaults, findViolations } from '../../support/checks/accessibility.ts';
import { headingOf, openAccount, textOf } from '../../support/dashboard/dashboard-fixture.ts';
import { visitAsMany } from '../../support/dashboard/real-visits.ts';
import { press, saveTokens, useFixture } from '../../support/extension/extension-fixture.ts';
import { openLinks } from '../../support/extension/links-page.ts';
import { type AppServer, startAppServer } from '../../support/servers/app-server.ts';

/** On an extension page, where the functions handed to `evaluate` run. */
declare const chrome: typeof browser;

const PICTURE = 'svg[role="img"]';

const fixture = useFixture();
let link: CreatedLinkRecord;
let page: Page;

/** Each test has an account of its own, with a visited link. */
beforeEach(async () => {
  link = await openAccount(fixture.server, {
    originalUrl: 'https://example.com/',
    title: 'First',
    rules: [{ device: 'phone', originalUrl: 'https://example.com/app' }],
  });
  await visitAsMany(fixture.server, link);
  await saveTokens(fixture, { [fixture.server.baseUrl]: link.authToken });
});

afterEach(() => page?.close());

async function nameOfPicture(): Promise<string | null | undefined> {
  const picture = await page.waitForSelector(PICTURE);
  return picture?.evaluate((svg) => svg.getAttribute('aria-label'));
}

test('the visits of a link in My links lead to its statistics, and back', async () => {
  page = await openLinks(fixture);
  await press(page, '3 visits');
  expect(await nameOfPicture()).toMatch(/Visits: 3, Visitors: 2\.$/);
  expect(await headingOf(page)).toBe('Link statistics');
  await expect.poll(() => textOf(page)).toContain('First');
  const second = () => page.$$eval('.top tbody th', (names) => names[1]?.textContent);
  await expect.poll(second).toBe('example.com/app');
  await expect.poll(() => textOf(page)).toContain(link.shortUrl.replace('http://', ''));
  await press(page, 'Edit');
  await page.waitForSelector('.link-editor-dialog[open]');
  const alias = '.link-editor-dialog[open] input[name="customAlias"]';
  expect(await page.$eval(alias, (input) => (input as HTMLInputElement).value)).toBe(link.alias);
});

test('the statistics are reloaded when another account is used', async () => {
  page = await fixture.chromium.openExtensionPage('statistics.html');
  await page.waitForSelector(PICTURE);
  await page.evaluate(() => document.body.setAttribute('data-before', ''));
  const { authToken: token } = await openAccount(fixture.server);
  const settings = await fixture.chromium.openExtensionPage('options.html');
  await settings.evaluate(
    (payload) => chrome.runtime.sendMessage({ kind: 'replaceToken', payload }),
    { origin: fixture.server.baseUrl, token },
  );
  await settings.close();
  await page.waitForSelector('body:not([data-before])');
});

test('Ctrl+K leads from the statistics to a link and to My links', async () => {
  page = await fixture.chromium.openExtensionPage('statistics.html');
  await page.waitForSelector(PICTURE);
  const openPalette = async (words: string) => {
    await page.keyboard.down('Control');
    await page.keyboard.press('k');
    await page.keyboard.up('Control');
    await page.waitForSelector('[role=combobox]');
    // At once: after a pause between two keys, it searches.
    await page.keyboard.sendCharacter(words);
    await waitForOptions(1);
    expect(await findViolations(page)).toEqual([]);
  };
  const waitForOptions = (count: number) =>
    page.waitForFunction(
      (wanted) => document.querySelectorAll('[role=option]').length === wanted,
      {},
      count,
    );
  await openPalette('first');
  await page.keyboard.press('Enter');
  // Copy, edit, statistics.
  await waitForOptions(3);
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  await expect.poll(() => headingOf(page)).toBe('Link statistics');
  await openPalette('my links');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  await expect.poll(() => headingOf(page)).toBe('My links');
});

test('Ctrl+K leads to the field for a new link', async () => {
  page = await openLinks(fixture);
  await page.waitForSelector('.row');
  await page.keyboard.down('Control');
  await page.keyboard.press('k');
  await page.keyboard.up('Control');
  await page.waitForSelector('.palette');
  await page.keyboard.type('new');
  await page.waitForFunction(
    () => document.querySelectorAll('.palette [role=option]').length === 1,
  );
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  await page.waitForFunction(() => document.activeElement?.id === 'new-link');
});

test('the statistics of the account are those of all its links', async () => {
  page = await openLinks(fixture);
  await press(page, 'Statistics');
  expect(await nameOfPicture()).toMatch(/Visits: 3, Visitors: 2\.$/);
  expect(await headingOf(page)).toBe('Statistics');
  await page.setViewport({ width: 320, height: 700 });
  expect(await findFaults(page)).toEqual([]);
});

describe('with accounts on two servers', () => {
  let second: AppServer;
  beforeAll(async () => {
    second = await startAppServer();
  });
  afterAll(() => second?.stop());

  test('one is chosen', async () => {
    const { authToken } = await openAccount(second);
    const tokens = { [fixture.server.baseUrl]: link.authToken, [second.baseUrl]: authToken };
    await saveTokens(fixture, tokens);
    page = await fixture.chromium.openExtensionPage('statistics.html');
    await page.waitForSelector(PICTURE);
    await press(page, new URL(second.baseUrl).host);
    await expect.poll(() => textOf(page)).toContain('No visits yet');
    expect(await findFaults(page)).toEqual([]);
    await press(page, 'My links');
    await page.waitForSelector('.row');
    expect(new URL(page.url()).searchParams.get('server')).toBe(second.baseUrl);
  });
});

test('without an account, the page says how to get one', async () => {
  await saveTokens(fixture, {});
  page = await fixture.chromium.openExtensionPage('statistics.html');
  await expect.poll(() => textOf(page)).toContain('You don’t have an account on this server yet');
  expect(await findFaults(page)).toEqual([]);
});
