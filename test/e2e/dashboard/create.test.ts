import type { Page } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { createClient } from '../../../shared/client.ts';
import { readRecipe } from '../../deploy/support/recipe.ts';
import { pasteInto } from '../support/browser/clipboard.ts';
import { findFaults } from '../support/checks/accessibility.ts';
import { openPart, typeInto } from '../support/checks/rules-editor.ts';
import { tabTo } from '../support/checks/walk-by-keyboard.ts';
import {
  collectComplaints,
  openAccount,
  press,
  signInWith,
  textOf,
  useDashboard,
} from '../support/dashboard/dashboard-fixture.ts';

const fixture = useDashboard();

/** A signed-in tab at a path below `/dashboard`. */
async function openSignedIn(path: string) {
  const { authToken } = await openAccount(fixture.server);
  const page = await fixture.chromium.openPage('about:blank');
  const complaints = collectComplaints(page);
  await signInWith(page, fixture.server, authToken);
  await page.goto(`${fixture.server.baseUrl}/dashboard${path}`);
  await page.waitForSelector('input[name="url"]');
  const client = createClient({ baseUrl: fixture.server.baseUrl });
  const newest = async () => {
    const listed = await client.listLinks(authToken);
    return listed.ok ? listed.data.data[0] : undefined;
  };
  const exported = async () => {
    const file = await client.exportLinks(authToken);
    return file.ok ? file.data.text() : '';
  };
  return { page, complaints, newest, exported };
}

test('a URL that another app shares is shortened and copied with one button', async () => {
  const shared = new URLSearchParams({
    title: 'A shared page',
    text: 'Look at this: https://example.com/from-text',
  });
  const { page, complaints, newest } = await openSignedIn(`/share?${shared}`);
  await press(page, 'Shorten and copy');
  await page.waitForSelector('.created-url');
  const link = await newest();
  expect(link).toMatchObject({
    originalUrl: 'https://example.com/from-text',
    title: 'A shared page',
  });
  await expect.poll(() => textOf(page)).toContain('Short link copied');
  expect(await fixture.chromium.readClipboard()).toBe(link?.shortUrl);
  expect(complaints).toEqual([]);
});

test.each([
  ['(https://example.com/a)', 'https://example.com/a'],
  ['https://example.com/a, it is good', 'https://example.com/a'],
  ['<https://example.com/a>', 'https://example.com/a'],
  ['看「https://example.com/a」。', 'https://example.com/a'],
  ['https://example.com/a，很好', 'https://example.com/a'],
])('of the shared text %j, the URL is in the form', async (text, url) => {
  const { page } = await openSignedIn(`/share?${new URLSearchParams({ text })}`);
  expect(await page.$eval('input[name="url"]', ({ value }) => value)).toBe(url);
});

test('lines are pasted into the form as one URL', async () => {
  await fixture.chromium.writeClipboard('https://example.com/very/\nlong/path\n');
  const { page, newest } = await openSignedIn('/create');
  await page.bringToFront();
  await page.focus('input[name="url"]');
  await pasteInto(page);
  await press(page, 'Shorten and copy');
  await page.waitForSelector('.created-url');
  expect(await newest()).toMatchObject({ originalUrl: 'https://example.com/very/long/path' });
});

test('two URLs in the form make no link, but a sentence', async () => {
  const { page, newest } = await openSignedIn('/create');
  await page.type('input[name="url"]', 'https://example.com/a https://example.com/b');
  await press(page, 'Shorten and copy');
  await expect.poll(() => textOf(page)).toContain('one URL at a time');
  // The one that came with the account.
  expect(await newest()).toMatchObject({ originalUrl: 'https://example.com/page' });
});

test('the bookmarklet of the recipes opens the current page in the form', async () => {
  const { page } = await openSignedIn('/create');
  const recipe = await readRecipe('Bookmarklet', { server: fixture.server.baseUrl, token: '' });
  await page.goto(`${fixture.server.baseUrl}/robots.txt?a=1&b=%C3%A4#part`);
  await page.evaluate(() => {
    document.title = 'Fish & chips + 100 %';
  });
  const opened = new Promise<Page | null>((resolve) => page.once('popup', resolve));
  // As a bookmark does; the URL is decoded before it runs.
  await page.evaluate((code) => {
    location.href = code;
  }, recipe.trim());
  const form = (await opened) as Page;
  await form.locator('::-p-aria([name="Shorten and copy"][role="button"])').wait();
  expect(await form.$eval('input[name="url"]', ({ value }) => value)).toBe(page.url());
  expect(await form.$eval('input[name="title"]', ({ value }) => value)).toBe(
    'Fish & chips + 100 %',
  );
});

test('with the keyboard alone, a link with every option is created', async () => {
  const { page, newest, exported } = await openSignedIn('/create');
  await tabTo(page, 'Destination');
  await page.keyboard.type('example.com/options');
  await tabTo(page, 'Options');
  await page.keyboard.press('Enter');
  const values = {
    'Custom alias': `every-option-${Date.now()}`,
    'Password for visitors': 'open sesame',
    Title: 'All options',
    Tags: 'one, two',
    'Visit limit': '5',
  };
  for (const [name, value] of Object.entries(values)) {
    await tabTo(page, name);
    await page.keyboard.type(value);
  }
  await tabTo(page, 'Keep ?parameters from the short link');
  await page.keyboard.press('Space');
  await tabTo(page, 'Wait before redirect');
  await page.keyboard.type('3');
  await tabTo(page, 'Description');
  await page.keyboard.type('Told in the preview');
  await tabTo(page, 'Google Tag Manager ID');
  await page.keyboard.type('GTM-ABC1234');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.created-url');
  expect(await newest()).toMatchObject({
    originalUrl: 'https://example.com/options',
    alias: values['Custom alias'],
    hasPassword: true,
    title: 'All options',
    tags: ['one', 'two'],
    maxVisits: 5,
    forwardQuery: true,
    waitTimer: 3,
    description: 'Told in the preview',
  });
  // The record does not have it.
  expect(await exported()).toMatch(/"customGtmId":\s*"GTM-ABC1234"/);
});

test('invalid values are explained at their fields, and a taken alias has suggestions', async () => {
  const { page, newest } = await openSignedIn('/create');
  await press(page, 'Shorten and copy');
  await expect.poll(() => textOf(page)).toContain('Enter a URL, such as example.com/page.');
  await page.type('input[name="url"]', 'mailto:someone@example.com');
  await press(page, 'Shorten and copy');
  await page.waitForSelector('input[name="url"][aria-invalid="true"]');

  const taken = (await newest())?.alias ?? '';
  await page.$eval('input[name="url"]', (field) => (field as HTMLInputElement).select());
  await page.type('input[name="url"]', 'https://example.com/taken');
  await page.click('summary');
  await page.type('input[name="alias"]', taken);
  await page.type('input[name="maxVisits"]', 'many');
  await press(page, 'Shorten and copy');
  await expect.poll(() => textOf(page)).toContain('Enter a whole number of 1 or more.');
  await page.$eval('input[name="maxVisits"]', (field) => (field as HTMLInputElement).select());
  await page.keyboard.press('Backspace');
  await press(page, 'Shorten and copy');
  await expect.poll(() => textOf(page)).toContain('This alias is taken');
  await press(page, `Use ${taken}-2`);
  await press(page, 'Shorten and copy');
  await page.waitForSelector('.created-url');
  expect((await newest())?.alias).toBe(`${taken}-2`);
});

test('the dashboard can be installed as an app, without a service worker', async () => {
  const page = await fixture.chromium.openPage(`${fixture.server.baseUrl}/dashboard`);
  await page.waitForSelector('input[name="token"]');
  const session = await page.createCDPSession();
  const { errors, data } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  expect(JSON.parse(data ?? '')).toMatchObject({
    id: '/dashboard',
    share_target: { action: '/dashboard/share', params: { url: 'url' } },
  });
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  expect(installabilityErrors).toEqual([]);
});

test('a link gets a start, a fallback and a card, which is shown without loading its image', async () => {
  const { page, complaints, newest } = await openSignedIn('/create');
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await page.type('input[name="url"]', 'https://example.com/launch');
  await openPart(page, 'Options');
  await page.$eval('input[name="startsAt"]', (input) => {
    input.value = '2099-01-31T12:00';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await page.locator('::-p-aria([name="Hide the link until it starts"])').click();
  await typeInto(page, 'goneUrl', 'https://example.com/over');
  await openPart(page, 'Card in chats');
  await typeInto(page, 'cardTitle', 'Our launch');
  await typeInto(page, 'cardImageUrl', 'https://images.example.com/launch.png');
  const card = await page.waitForSelector('.card-preview');
  expect(await card?.evaluate((figure) => (figure as HTMLElement).innerText.split(/\n+/))).toEqual([
    'Image from images.example.com',
    new URL(fixture.server.baseUrl).host,
    'Our launch',
  ]);
  expect(await findFaults(page)).toEqual([]);
  await press(page, 'Shorten and copy');
  await page.waitForSelector('.created-url');
  expect(await newest()).toMatchObject({
    status: 'scheduled',
    startsAt: new Date(2099, 0, 31, 12).toISOString(),
    hideUntilStart: true,
    goneUrl: 'https://example.com/over',
    card: { title: 'Our launch', imageUrl: 'https://images.example.com/launch.png' },
  });
  expect(hosts).not.toContain('images.example.com');
  expect(complaints).toEqual([]);
});
