import type { Page } from 'puppeteer-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { browser } from 'wxt/browser';
import { type Client, createClient } from '../../../../shared/client.ts';
import { dataOf } from '../../../support/data-of.ts';
import { findFaults, findViolations } from '../../support/checks/accessibility.ts';
import { findWalkFaults, nameOfFocused, tabTo } from '../../support/checks/walk-by-keyboard.ts';
import { openAccount } from '../../support/dashboard/dashboard-fixture.ts';
import {
  clickOn,
  fill,
  openPopup,
  press,
  savedLinks,
  saveSettings,
  saveTokens,
  shownLink,
  targetOf,
  useFixture,
  useFlakyNetwork,
} from '../../support/extension/extension-fixture.ts';
import { chooseInRow, expectText, openLinks, titles } from '../../support/extension/links-page.ts';
import { type AppServer, startAppServer } from '../../support/servers/app-server.ts';

/** In the extension's own pages, where the functions handed to `evaluate` run. */
declare const chrome: typeof browser;

/** The link of another account. */
const ELSEWHERE = { originalUrl: 'https://example.com/', title: 'Elsewhere' };

const fixture = useFixture();
let client: Client;
let token: string;
let page: Page;

/** Each test has an account of its own, whose link another browser created. */
beforeEach(async () => {
  client = createClient({ baseUrl: fixture.server.baseUrl });
  const link = { originalUrl: 'https://example.com/', title: 'First' };
  token = (await openAccount(fixture.server, link)).authToken;
  await saveTokens(fixture, { [fixture.server.baseUrl]: token });
});

afterEach(() => page?.close());

async function onlyLink() {
  const [link] = dataOf(await client.listLinks({ token })).data;
  if (!link) throw new Error('The account has no link.');
  return link;
}

test('an existing link is offered for a page that another browser has shortened', async () => {
  const originalUrl = fixture.page.url();
  const { shortUrl } = dataOf(await client.createLink({ body: { originalUrl }, token }));
  page = await openLinks(fixture);
  await expect.poll(async () => (await titles(page)).length).toBe(2);
  const popup = await openPopup(fixture);
  expect(await shownLink(popup, 'Already shortened, link copied')).toBe(shortUrl);
});

describe('a link of the account', () => {
  test('is edited in My links, and the next visit goes to its new target', async () => {
    page = await openLinks(fixture);
    await expect.poll(() => titles(page)).toEqual(['First']);
    await chooseInRow(page, 'Edit');
    await fill(page, 'Destination', 'https://example.com/new');
    await press(page, 'Save');
    await expectText(page, 'Saved:');
    const { shortUrl } = await onlyLink();
    expect(await targetOf(shortUrl)).toBe('https://example.com/new');
    await expect
      .poll(() => savedLinks(fixture))
      .toMatchObject([{ originalUrl: 'https://example.com/new' }]);
    await press(page, 'Undo');
    await expect.poll(() => targetOf(shortUrl)).toBe('https://example.com/');
  });

  test('is deleted and restored with the keyboard alone', async () => {
    page = await openLinks(fixture);
    await expect.poll(() => titles(page)).toEqual(['First']);
    const { shortUrl } = await onlyLink();
    await tabTo(page, 'Actions');
    await page.keyboard.press('Enter');
    await expect.poll(() => nameOfFocused(page)).toBe('Edit');
    await page.keyboard.press('End');
    await expect.poll(() => nameOfFocused(page)).toBe('Delete');
    await page.keyboard.press('Enter');
    await expect.poll(() => nameOfFocused(page)).toBe('Undo');
    await expect.poll(async () => (await fetch(shortUrl)).status).toBe(410);
    await expect.poll(() => savedLinks(fixture)).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(() => titles(page)).toEqual(['First']);
    await expect.poll(() => savedLinks(fixture)).toHaveLength(1);
    await expect.poll(async () => (await targetOf(shortUrl)) !== null).toBe(true);
  });

  test('is paused', async () => {
    page = await openLinks(fixture);
    await expect.poll(() => titles(page)).toEqual(['First']);
    await chooseInRow(page, 'Pause');
    await expectText(page, 'Paused.');
    await expect.poll(async () => (await onlyLink()).status).toBe('inactive');
    await expect.poll(() => savedLinks(fixture)).toMatchObject([{ status: 'inactive' }]);
  });
});

describe('without the server', () => {
  const network = useFlakyNetwork(fixture);
  beforeEach(() => saveTokens(fixture, { [network.origin]: token }));

  test('the list shows the saved links and says so, and a change that fails is taken back', async () => {
    page = await openLinks(fixture);
    await expect.poll(() => titles(page)).toEqual(['First']);
    await page.close();
    network.isDown = true;
    page = await openLinks(fixture);
    await expectText(page, 'You’re seeing the newest links as this browser saved them');
    await expect.poll(() => titles(page)).toEqual(['First']);
    await chooseInRow(page, 'Delete');
    await expectText(page, 'Can’t reach the server.');
    await expect.poll(() => titles(page)).toEqual(['First']);
    expect(await findFaults(page)).toEqual([]);
    network.isDown = false;
    await page.reload();
    await page.waitForFunction(() => !document.body.innerText.includes('the newest links'));
    await expect.poll(() => titles(page)).toEqual(['First']);
  });
});

describe('with accounts on two servers', () => {
  let other: AppServer;
  let otherToken: string;
  beforeEach(async () => {
    other = await startAppServer();
    otherToken = (await openAccount(other, ELSEWHERE)).authToken;
    await saveTokens(fixture, { [fixture.server.baseUrl]: token, [other.baseUrl]: otherToken });
    page = await openLinks(fixture);
    await expect.poll(() => titles(page)).toEqual(['First']);
  });
  afterEach(() => other.stop());

  test('each has a list of its own', async () => {
    await press(page, new URL(other.baseUrl).host);
    await expect.poll(() => titles(page)).toEqual(['Elsewhere']);
    expect(await findViolations(page)).toEqual([]);
  });

  test('a URL is not sent to another server than the one that is shown', async () => {
    await saveSettings(fixture, { serverOrigin: other.baseUrl });
    await page.type('#new-link', 'https://example.com/for-the-first');
    await press(page, 'Shorten');
    // The page shows the other server now.
    await expect.poll(() => titles(page)).toEqual(['Elsewhere']);
    const links = await createClient({ baseUrl: other.baseUrl }).listLinks({ token: otherToken });
    expect(links.ok && links.data.data).toHaveLength(1);
  });
});

test('the list is that of the account in use, also if another one is used from now on', async () => {
  page = await openLinks(fixture);
  await expect.poll(() => titles(page)).toEqual(['First']);
  const origin = fixture.server.baseUrl;
  const { authToken } = await openAccount(fixture.server, ELSEWHERE);
  const settings = await fixture.chromium.openExtensionPage('options.html');
  await settings.evaluate(
    (payload) => chrome.runtime.sendMessage({ kind: 'replaceToken', payload }),
    { origin, token: authToken },
  );
  await expect.poll(() => titles(page)).toEqual(['Elsewhere']);
  await settings.close();
});

test('the list of an account is accessible in every color mode, also while editing', async () => {
  page = await openLinks(fixture);
  await expect.poll(() => titles(page)).toEqual(['First']);
  await page.waitForSelector('.tag-field');
  await clickOn(page, '.select');
  expect(await findWalkFaults(page)).toEqual([]);
  await chooseInRow(page, 'Edit');
  await page.waitForSelector('.link-editor-dialog[open]');
  for (const scheme of ['light', 'dark']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    expect(await findViolations(page)).toEqual([]);
  }
  expect(await findWalkFaults(page)).toEqual([]);
});
