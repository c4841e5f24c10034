import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../shared/client.ts';
import { launchFirefoxWithExtension } from './support/browser/firefox.ts';
import type { Firefox } from './support/browser/firefox-driver.ts';
import { freePort } from './support/servers/free-port.ts';
import { type RunningServer, startServer } from './support/servers/server.ts';
import { type Site, startSite } from './support/servers/site.ts';

const ADDRESS_FIELD = `return document.querySelector('[name="server"]')`;

let firefox: Firefox;
let server: RunningServer;
let site: Site;

beforeAll(async () => {
  [firefox, server, site] = await Promise.all([
    launchFirefoxWithExtension(),
    startServer(),
    startSite(),
  ]);
  const options = await firefox.openTab('options.html');
  await options.waitFor(ADDRESS_FIELD);
  await options.type('[name="server"]', server.baseUrl);
  await options.press('Save');
  await options.waitFor(`return document.body.textContent.includes('Saved')`);
});

afterAll(async () => {
  await firefox?.close();
  await server?.stop();
  await site?.stop();
});

test('the options page saves the chosen server and connects to it', async () => {
  const options = await firefox.openTab('options.html');
  await options.waitFor(`${ADDRESS_FIELD}?.value === ${JSON.stringify(server.baseUrl)}`);
  await options.press('Test connection');
  await options.waitFor(`return document.body.textContent.includes('Connected to Curt')`);
});

test('the options page shows an error when no server responds', async () => {
  const options = await firefox.openTab('options.html');
  await options.waitFor(ADDRESS_FIELD);
  await options.type('[name="server"]', `http://localhost:${await freePort()}`);
  await options.press('Test connection');
  await options.waitFor(`return document.body.textContent.includes('isn’t responding')`);
});

test('the options page shows the recovery code and imports another one', async () => {
  const client = createClient({ baseUrl: server.baseUrl });
  const [first, second] = await Promise.all(
    ['https://example.com/1', 'https://example.com/2'].map(async (originalUrl) => {
      const created = await client.shorten({ originalUrl });
      return created.ok ? `curt:${server.baseUrl}#${created.data.authToken}` : '';
    }),
  );
  const options = await firefox.openTab('options.html');
  await options.waitFor(ADDRESS_FIELD);
  for (const [code, button] of [
    [first, 'Use it'],
    [second, 'Switch account'],
  ]) {
    await options.type('[name="other-code"]', code ?? '');
    await options.press(button ?? '');
    await options.waitFor(`return document.body.textContent.includes('Curt uses it from now on')
      && document.querySelector('[name="other-code"]').value === ''`);
  }
  await options.press('Show');
  await options.waitFor(
    `return document.querySelector('[name="recovery-code"]').value === ${JSON.stringify(second)}`,
  );
  await options.waitFor(`return document.body.textContent.includes('Old keys')`);
  await options.press('Reset settings…');
  await options.waitFor(`return document.querySelector('dialog[open]') !== null`);
  await options.press('Cancel');
});

test('a click on the toolbar button shortens the page, and shows and copies the link', async () => {
  const target = `${site.origin}/clicked-in-firefox`;
  await firefox.openTab(target);
  const popup = await firefox.clickToolbarButton();
  const shown = await popup.waitFor<string>(`return document.querySelector('output')?.textContent`);
  await popup.waitFor(`return document.body.textContent.includes('Short link copied')`);
  const shortUrl = await firefox.readClipboard();
  expect(shortUrl).toBe(`http://${shown}`);
  expect(new URL(shortUrl).origin).toBe(server.baseUrl);
  expect(await redirectOf(shortUrl)).toBe(target);
});

test('a second click shows the existing link, and “More” changes it', async () => {
  const target = `${site.origin}/clicked-twice-in-firefox`;
  await firefox.openTab(target);
  const first = await firefox.clickToolbarButton();
  await first.waitFor(`return document.body.textContent.includes('Short link copied')`);
  const shortUrl = await firefox.readClipboard();
  const second = await firefox.clickToolbarButton();
  await second.waitFor(`return document.body.textContent.includes('Already shortened')`);
  expect(await second.execute(`return document.querySelector('output').textContent`)).toBe(
    shortUrl.replace('http://', ''),
  );

  await second.execute(`document.querySelector('.disclosure').click()`);
  await second.waitFor(`return document.querySelector('form.form')`);
  await second.execute(`
    const field = document.querySelector('.prefixed input');
    field.value = 'firefox';
    field.dispatchEvent(new this.Event('input', { bubbles: true }));
    document.querySelector('[value=custom]').click();`);
  await second.waitFor(`return document.querySelector('.pair input')`);
  await second.execute(`
    const field = document.querySelector('.pair input');
    field.value = '3';
    field.dispatchEvent(new this.Event('input', { bubbles: true }));`);
  await second.waitFor(`return document.querySelector('.pair input').value === '3'`);
  await second.execute(`document.querySelector('.form .primary').click()`);
  await second.waitFor(`return document.querySelector('output').textContent.endsWith('/firefox')`);
  await second.waitFor(`return document.body.textContent.includes('link copied')`);
  expect(await firefox.readClipboard()).toBe(`${server.baseUrl}/firefox`);
  expect(await redirectOf(`${server.baseUrl}/firefox`)).toBe(target);
  const facts = await second.execute<string>(`return document.querySelector('.facts').textContent`);
  expect(facts).toMatch(/Expires/);
});

test.each([
  ['a link', '#next', 'shorten-link', '/next'],
  ['a page', 'h1', 'shorten-page', '/right-clicked-in-firefox'],
])('the context menu shortens %s and copies the link', async (_, on, entry, path) => {
  await firefox.openTab(`${site.origin}/right-clicked-in-firefox`);
  const before = await firefox.readClipboard();
  await firefox.chooseFromContextMenu(on, entry);
  await expect.poll(() => firefox.readClipboard()).not.toBe(before);
  expect(await redirectOf(await firefox.readClipboard())).toBe(`${site.origin}${path}`);
});

describe('a stopped background is started by', () => {
  const TARGET = '/woken-in-firefox';

  test.each<[string, string, () => Promise<unknown>]>([
    [
      'the context menu',
      `${TARGET}-by-menu`,
      () => firefox.chooseFromContextMenu('h1', 'shorten-page'),
    ],
    ['its keys', `${TARGET}-by-keys`, () => firefox.pressKeys(['Alt', 'Shift', 'y'])],
    [
      'the address bar',
      `${TARGET}-by-bar`,
      () => firefox.enterInAddressBar(`curt ${site.origin}${TARGET}-by-bar`),
    ],
    ['its button', `${TARGET}-by-button`, () => firefox.clickToolbarButton()],
  ])('%s, without losing the request', async (_, path, act) => {
    await firefox.openTab(`${site.origin}${path}`);
    const before = await firefox.readClipboard();
    await firefox.stopBackground();
    await act();
    await expect.poll(() => firefox.readClipboard()).not.toBe(before);
    expect(await redirectOf(await firefox.readClipboard())).toBe(`${site.origin}${path}`);
  });
});

test('Getting started connects, shortens a page and copies the link', async () => {
  const steps = await firefox.openTab('welcome.html');
  await steps.waitFor(ADDRESS_FIELD);
  await steps.type('[name="server"]', server.baseUrl);
  await steps.execute(`document.querySelector('[name="server"]').form.requestSubmit()`);
  await steps.waitFor(`return document.body.textContent.includes('Connected to Curt')`);
  const target = `${site.origin}/first-in-firefox`;
  await steps.type('[name="page"]', target);
  await steps.execute(`document.querySelector('[name="page"]').form.requestSubmit()`);
  const shortUrl = await steps.waitFor<string>(`return document.querySelector('.short-url')?.href`);
  await steps.press('Copy');
  await expect.poll(() => firefox.readClipboard()).toBe(shortUrl);
  expect(await redirectOf(shortUrl)).toBe(target);
});

test('the options page shows the shortcuts that Firefox has assigned', async () => {
  const options = await firefox.openTab('options.html');
  const keys = await options.waitFor<string[]>(
    `const keys = [...document.querySelectorAll('.shortcut kbd')].map((key) => key.textContent);
     return keys.length > 0 && keys`,
  );
  expect(keys).toEqual(['Alt+Shift+U', 'Alt+Shift+Y', 'Alt+Shift+O']);
});

test('My links lists, finds and copies a created link', async () => {
  for (const path of ['/listed-in-firefox', '/other-in-firefox']) {
    const before = await firefox.readClipboard();
    await firefox.openTab(`${site.origin}${path}`);
    await firefox.chooseFromContextMenu('h1', 'shorten-page');
    await expect.poll(() => firefox.readClipboard()).not.toBe(before);
  }
  const newest = await firefox.readClipboard();
  const links = await firefox.openTab('links.html');
  const shown = `[...document.querySelectorAll('.row .target')].map((one) => one.title)`;
  const paths = `${shown}.map((target) => new URL(target).pathname)`;
  await links.waitFor(
    `return ${paths}.slice(0, 2).join() === '/other-in-firefox,/listed-in-firefox'`,
  );
  await links.type('[type="search"]', 'LISTED-in');
  await links.waitFor(`return ${paths}.join() === '/listed-in-firefox'`);
  await links.press('Copy');
  await expect.poll(() => firefox.readClipboard()).not.toBe(newest);
  expect(await redirectOf(await firefox.readClipboard())).toBe(`${site.origin}/listed-in-firefox`);
});

test('My links copies a QR code as an image', async () => {
  const links = await firefox.openTab('links.html');
  await links.waitFor(`return document.querySelector('.row')`);
  await links.press('Actions');
  await links.waitFor(`return document.querySelector('[role="menuitem"]')`);
  await links.press('QR code');
  await links.waitFor(`return document.querySelector('dialog[open] .qr-dark[d^="M"]')`);
  await links.press('Copy image');
  await links.waitFor(
    `return document.querySelector('.qr-note').textContent.includes('is in your clipboard')`,
  );
});

async function redirectOf(shortUrl: string): Promise<string | null> {
  return (await fetch(shortUrl, { redirect: 'manual' })).headers.get('location');
}
