import type { Page } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { readRecipe } from '../../deploy/support/recipe.ts';
import { bringToFront } from '../support/browser/bring-to-front.ts';
import { click } from '../support/browser/click.ts';
import { pasteInto } from '../support/browser/clipboard.ts';
import { findFaults } from '../support/checks/accessibility.ts';
import { openParts, typeInto } from '../support/checks/rules-editor.ts';
import { tabTo } from '../support/checks/walk-by-keyboard.ts';
import {
  openSignedIn,
  press,
  textOf,
  useDashboard,
} from '../support/dashboard/dashboard-fixture.ts';

const fixture = useDashboard();

/** A signed-in tab at a path below `/dashboard`. */
async function openForm(path: string) {
  const { page, complaints, client, token } = await openSignedIn(fixture, { path });
  await page.waitForSelector('input[name="originalUrl"]');
  const newest = async () => {
    const listed = await client.listLinks({ token });
    return listed.ok ? listed.data.data[0] : undefined;
  };
  const exported = async () => {
    const file = await client.exportLinks({ token });
    return file.ok ? file.data.text() : '';
  };
  return { page, complaints, newest, exported };
}

test('a URL that another app shares is shortened and copied with one button', async () => {
  const shared = new URLSearchParams({
    title: 'A shared page',
    text: 'Look at this: https://example.com/from-text',
  });
  const { page, complaints, newest } = await openForm(`/share?${shared}`);
  await press(page, 'Shorten and copy');
  await page.waitForSelector('.created-url');
  const link = await newest();
  expect(link).toMatchObject({
    originalUrl: 'https://example.com/from-text',
    label: 'A shared page',
  });
  await expect.poll(() => textOf(page)).toContain('Short link copied');
  expect(await fixture.chromium.readClipboard()).toBe(link?.shortUrl);
  expect(complaints).toEqual([]);
});

test('what is shared with the installed app waits for a click, since any page can open its address', async () => {
  const { page, exported } = await openForm('/create');
  await page.evaluateOnNewDocument(() => {
    const matchMedia = window.matchMedia.bind(window);
    const inApp = (query: string) => (query === '(display-mode: standalone)' ? 'all' : query);
    window.matchMedia = (query) => matchMedia(inApp(query));
  });
  const url = 'https://example.com/from-app';
  await page.goto(`${fixture.server.baseUrl}/dashboard/share?${new URLSearchParams({ url })}`);
  await page.waitForSelector('input[name="originalUrl"]');
  const urls = async () =>
    JSON.parse(await exported()).links.map((link: { originalUrl: string }) => link.originalUrl);
  expect(await urls()).not.toContain(url);
  // Without a click, there would be no button by now.
  await press(page, 'Shorten and copy');
  await page.waitForSelector('.created-url');
  expect(await urls()).toContain(url);
  expect(new URL(page.url()).pathname).toBe('/dashboard/share');
});

test('a shared URL loses its tracking parameters, which its link can get back', async () => {
  const full = 'https://example.com/sale?color=red&fbclid=x';
  const { page, newest } = await openForm(`/share?${new URLSearchParams({ url: full })}`);
  await press(page, 'Shorten and copy');
  await page.waitForSelector('.created-url');
  expect(await newest()).toMatchObject({ originalUrl: 'https://example.com/sale?color=red' });
  await expect.poll(() => textOf(page)).toContain('1 tracking parameter removed');
  await press(page, 'Use the full URL');
  await expect.poll(() => textOf(page)).toContain(full);
  expect(await newest()).toMatchObject({ originalUrl: full });
  expect(await textOf(page)).not.toContain('removed');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('created-heading');
});

test('every field for a URL takes what people paste: lines of one, and ampersands of HTML', async () => {
  const { page, newest } = await openForm('/create');
  const url = 'https://example.com/very/long/path?a=1&b=2';
  const paste = async (field: string) => {
    await fixture.chromium.writeClipboard('https://example.com/very/\nlong/path?a=1&amp;b=2\n');
    await page.waitForSelector(field);
    await bringToFront(page);
    await page.focus(field);
    await pasteInto(page);
    const value = () => page.$eval(field, (input) => (input as HTMLInputElement).value);
    await expect.poll(value).toBe(url);
  };
  await paste('input[name="originalUrl"]');
  await press(page, 'Shorten and copy');
  await page.waitForSelector('.created-url');
  expect(await newest()).toMatchObject({ originalUrl: url });
  await page.goto(`${fixture.server.baseUrl}/dashboard`);
  await paste('#new-link');
  await page.keyboard.down('Control');
  await page.keyboard.press('k');
  await page.keyboard.up('Control');
  await paste('.palette .input');
});

test('a pasted URL loses its tracking parameters and its wrapper, with a way back', async () => {
  const { page } = await openForm('/create');
  const paste = async (url: string) => {
    await fixture.chromium.writeClipboard(url);
    await bringToFront(page);
    await page.$eval('input[name="originalUrl"]', (field) => (field as HTMLInputElement).select());
    await pasteInto(page);
  };
  const destination = () => page.$eval('input[name="originalUrl"]', ({ value }) => value);
  await paste('https://example.com/a?b=1&fbclid=x&gclid=y');
  await expect.poll(destination).toBe('https://example.com/a?b=1');
  await expect.poll(() => textOf(page)).toContain('2 tracking parameters removed');
  await press(page, 'Use the full URL');
  await expect.poll(destination).toBe('https://example.com/a?b=1&fbclid=x&gclid=y');
  await paste('https://l.facebook.com/l.php?u=https%3A%2F%2Fexample.com%2Finner&h=AT0');
  await expect.poll(destination).toBe('https://example.com/inner');
  await expect.poll(() => textOf(page)).toContain('Unwrapped from a link of l.facebook.com');
});

test('what campaign fields say of a pasted URL is not taken back', async () => {
  const { page } = await openForm('/create');
  await fixture.chromium.writeClipboard('https://example.com/a?utm_source=theirs');
  await bringToFront(page);
  await page.focus('input[name="originalUrl"]');
  await pasteInto(page);
  await expect.poll(() => textOf(page)).toContain('Use the full URL');
  await tabTo(page, 'For campaigns');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Source');
  await page.keyboard.type('ours');
  const destination = () => page.$eval('input[name="originalUrl"]', ({ value }) => value);
  await expect.poll(destination).toBe('https://example.com/a?utm_source=ours');
  await expect.poll(() => textOf(page)).not.toContain('Use the full URL');
});

test('two URLs in the form make no link, but a sentence', async () => {
  const { page, newest } = await openForm('/create');
  await page.type('input[name="originalUrl"]', 'https://example.com/a https://example.com/b');
  await press(page, 'Shorten and copy');
  await expect.poll(() => textOf(page)).toContain('one URL at a time');
  // The one that came with the account.
  expect(await newest()).toMatchObject({ originalUrl: 'https://example.com/page' });
});

test('the bookmarklet of the recipes opens the current page in the form', async () => {
  const { page } = await openForm('/create');
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
  expect(await form.$eval('input[name="originalUrl"]', ({ value }) => value)).toBe(page.url());
  expect(await form.$eval('input[name="label"]', ({ value }) => value)).toBe(
    'Fish & chips + 100 %',
  );
});

test('with the keyboard alone, a link with every option is created', async () => {
  const { page, newest, exported } = await openForm('/create');
  await tabTo(page, 'Destination');
  await page.keyboard.type('example.com/options');
  const values = {
    'Custom alias': `every-option-${Date.now()}`,
    Title: 'All options',
    Tags: 'one, two',
    When: undefined,
    'Visit limit': '5',
    Protection: undefined,
    'Password for visitors': 'open sesame',
    'Wait before redirect': '3',
    'For campaigns': undefined,
    Source: 'letter',
  };
  for (const [name, value] of Object.entries(values)) {
    await tabTo(page, name);
    if (value === undefined) await page.keyboard.press('Enter');
    else await page.keyboard.type(value);
  }
  await tabTo(page, 'Pass parameters on to the destination');
  await page.keyboard.press('Space');
  await tabTo(page, 'Description');
  await page.keyboard.type('Told in the preview');
  await tabTo(page, 'Google Tag Manager ID');
  await page.keyboard.type('GTM-ABC1234');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.created-url');
  expect(await newest()).toMatchObject({
    originalUrl: 'https://example.com/options?utm_source=letter',
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
  const { page, newest } = await openForm('/create');
  await press(page, 'Shorten and copy');
  await expect.poll(() => textOf(page)).toContain('Enter a URL, such as example.com/page.');
  await page.type('input[name="originalUrl"]', 'mailto:someone@example.com');
  await press(page, 'Shorten and copy');
  await page.waitForSelector('input[name="originalUrl"][aria-invalid="true"]');

  const taken = (await newest())?.alias ?? '';
  await page.$eval('input[name="originalUrl"]', (field) => (field as HTMLInputElement).select());
  await page.type('input[name="originalUrl"]', 'https://example.com/taken');
  await openParts(page);
  await page.type('input[name="customAlias"]', taken);
  await page.type('input[name="maxVisits"]', '0');
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
  const { page, complaints, newest } = await openForm('/create');
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await page.type('input[name="originalUrl"]', 'https://example.com/launch');
  await openParts(page);
  await page.$eval('input[name="startsAt"]', (input) => {
    input.value = '2099-01-31T12:00';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await click(page, '::-p-aria([name="Hide the link until it starts"])');
  await typeInto(page, 'goneUrl', 'https://example.com/over');
  await typeInto(page, 'cardTitle', 'Our launch');
  await typeInto(page, 'cardImageUrl', 'https://images.example.com/launch.png');
  const card = () =>
    page.$eval('.link-fields .card-preview', (figure) =>
      (figure as HTMLElement).innerText.split(/\n+/),
    );
  await expect
    .poll(card)
    .toEqual(['Image from images.example.com', new URL(fixture.server.baseUrl).host, 'Our launch']);
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
