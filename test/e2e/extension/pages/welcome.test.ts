import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import packageJson from '../../../../package.json' with { type: 'json' };
import { createClient } from '../../../../shared/client.ts';
import { dataOf } from '../../../support/data-of.ts';
import {
  type ChromiumWithExtension,
  launchChromiumWithExtension,
} from '../../support/browser/chromium.ts';
import { findColorFaults } from '../../support/checks/accessibility.ts';
import { nameOfFocused, tabTo } from '../../support/checks/walk-by-keyboard.ts';
import {
  fieldValue,
  fill,
  issueOf,
  press,
  pressToClose,
  pressToLeave,
  targetOf,
} from '../../support/extension/extension-fixture.ts';
import { expectText as expectTextOf } from '../../support/extension/links-page.ts';
import { type AppServer, startAppServer } from '../../support/servers/app-server.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { startSite } from '../../support/servers/site.ts';

/** In the extension's own worker and pages, where the functions handed to `evaluate` run. */
declare const chrome: typeof import('wxt/browser').browser;

const EXAMPLE = 'https://example.com/an/example/of/a/url/that/nobody/wants/to/type';

let chromium: ChromiumWithExtension;
let server: AppServer;
let welcome: Page;

beforeAll(async () => {
  [chromium, server] = await Promise.all([
    launchChromiumWithExtension(undefined, { keepsFirstSteps: true }),
    startAppServer(),
  ]);
});
afterAll(async () => {
  await chromium?.close();
  await server?.stop();
});
beforeEach(async () => {
  await chromium.worker.evaluate(() => chrome.storage.local.clear());
  welcome = await chromium.openExtensionPage('welcome.html');
  await welcome.waitForSelector('main');
});
afterEach(() => welcome.close());

test('installing opens Getting started once, with the default server', async () => {
  const opened = chromium.browser
    .targets()
    .filter((target) => target.url().endsWith('/welcome.html'));
  // One opened on installation, one by this test.
  expect(opened).toHaveLength(2);
  const first = await opened.find((target) => target !== welcome.target())?.page();
  await expect
    .poll(() => fieldValue(first as Page, 'Server address'))
    .toBe('http://localhost:2878');
  await pressToLeave(first as Page, 'Skip');
  await expect.poll(() => first?.isClosed()).toBe(true);
});

test('it connects, creates the first link and copies it, with the keyboard alone', async () => {
  const { keyboard } = welcome;
  await tabTo(welcome, 'Copy commands');
  await keyboard.press('Enter');
  await expectText('Copied.');
  await welcome.bringToFront();
  await tabTo(welcome, 'Server address');
  await keyboard.down('Control');
  await keyboard.press('a');
  await keyboard.up('Control');
  await keyboard.type(server.baseUrl);
  await keyboard.press('Enter');
  await expectText(`Connected to Curt ${packageJson.version}.`);
  await expect.poll(stepsDone).toEqual([true, false, true]);
  // Nobody needs them any more.
  await welcome.waitForSelector('.commands', { hidden: true });
  await tabTo(welcome, 'URL of a page');
  await keyboard.press('Enter');
  await expectText('Link created:');
  await expect.poll(stepsDone).toEqual([true, true, true]);
  const shortUrl = await welcome.$eval('.short-url', (link) => (link as HTMLAnchorElement).href);
  expect(await targetOf(shortUrl)).toBe(EXAMPLE);
  await tabTo(welcome, 'Copy');
  await keyboard.press('Space');
  await expect.poll(() => welcome.$$eval('.copy-line .note', lastText)).toBe('Copied.');
  expect(await chromium.readClipboard()).toBe(shortUrl);
  await welcome.bringToFront();
  // The page shows the result, so there is no notification.
  expect(await chromium.worker.evaluate(() => chrome.notifications.getAll())).toEqual({});
  await tabTo(welcome, 'Done');
  pressToClose(welcome, 'Enter');
  await expect.poll(() => welcome.isClosed()).toBe(true);
  welcome = await chromium.openExtensionPage('welcome.html');
});

test('nothing is sent before a button is clicked', async () => {
  const site = await startSite();
  try {
    await fill(welcome, 'Server address', site.origin);
    await fill(welcome, 'URL of a page', `${site.origin}/page`);
    expect(site.asked).toEqual([]);
    await press(welcome, 'Connect');
    await expectText('responds, but not like Curt');
    // Connect checks twice, since the response isn't Curt's. Requests sent while typing would come before.
    expect(site.asked).toEqual(['/api/health', '/api/health']);
  } finally {
    await site.stop();
  }
});

test('the dashboard’s address with a key connects an account', async () => {
  const created = await createClient({ baseUrl: server.baseUrl }).createLink({
    body: {
      originalUrl: EXAMPLE,
    },
  });
  const { authToken: token } = dataOf(created);
  await fill(welcome, 'Server address', `${server.baseUrl}/dashboard#${token}`);
  await press(welcome, 'Connect');
  await expectText('The server recognizes this key.');
  await expect.poll(stepsDone).toEqual([true, false, true]);
  await expect.poll(() => fieldValue(welcome, 'Server address')).toBe(server.baseUrl);
  await expect.poll(() => fieldValue(welcome, 'Sign-in key (if you have one)')).toBe('');
  await expect
    .poll(() => chromium.worker.evaluate(() => chrome.storage.local.get('accountTokens')))
    .toMatchObject({ accountTokens: { [server.baseUrl]: token } });

  await fill(welcome, 'Sign-in key (if you have one)', 'a-key-of-nobody');
  await press(welcome, 'Shorten');
  await expect
    .poll(() => issueOf(welcome, 'Sign-in key (if you have one)'))
    .toContain('The server doesn’t recognize this sign-in key.');
  await expect.poll(() => nameOfFocused(welcome)).toBe('Sign-in key (if you have one)');
  await expect.poll(stepsDone).toEqual([false, false, true]);
});

test('errors are shown at their field', async () => {
  await fill(welcome, 'Server address', 'nowhere at all');
  await press(welcome, 'Connect');
  await expectText('This isn’t a valid address.');
  await fill(welcome, 'Server address', `http://localhost:${await freePort()}`);
  await press(welcome, 'Connect');
  await expectText('isn’t responding');
  await press(welcome, 'Shorten');
  await expect.poll(() => issueOf(welcome, 'Server address')).toContain('Can’t reach the server');
  expect(await issueOf(welcome, 'URL of a page')).toBe('');
  await expect.poll(() => nameOfFocused(welcome)).toBe('Server address');
  await fill(welcome, 'Server address', server.baseUrl);
  await press(welcome, 'Connect');
  await expectText(`Connected to Curt ${packageJson.version}.`);
  const text = () => welcome.$eval('main', (main) => main.textContent);
  await expect.poll(text).not.toContain('Can’t reach the server');
  await fill(welcome, 'URL of a page', 'not a URL');
  await press(welcome, 'Shorten');
  await expect.poll(() => issueOf(welcome, 'URL of a page')).toContain('This isn’t a URL');
});

test('it shows the assigned shortcuts, and its colors are readable in each color mode', async () => {
  const shortcuts = () => welcome.$$eval('kbd', (keys) => keys.map((key) => key.textContent));
  await expect.poll(shortcuts).toEqual(['Alt+Shift+U', 'Alt+Shift+Y', 'Alt+Shift+O']);
  expect(await findColorFaults(welcome)).toEqual([]);
});

/** Which steps have a tick. The button is in the toolbar of a test's browser. */
function stepsDone(): Promise<boolean[]> {
  return welcome.$$eval('.step-number', (numbers) =>
    numbers.map((number) => number.querySelector('.icon-check') !== null),
  );
}

function expectText(words: string): Promise<void> {
  return expectTextOf(welcome, words);
}

function lastText(elements: Element[]): string {
  return elements.at(-1)?.textContent ?? '';
}
