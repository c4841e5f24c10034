import { describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../shared/client.ts';
import { newFolder } from '../support/new-folder.ts';
import { ADDRESS_FIELD, redirectOf, useFirefox } from './support/extension/firefox-fixture.ts';
import { freePort } from './support/servers/free-port.ts';
import { startServer } from './support/servers/server.ts';

const fixture = useFirefox();

test('the options page has saved the chosen server, and connects to it', async () => {
  const options = await fixture.firefox.openTab('options.html');
  await options.waitFor(`${ADDRESS_FIELD}?.value === ${JSON.stringify(fixture.server.baseUrl)}`);
  await options.waitFor(`return document.body.textContent.includes('Connected to Curt')`);
});

test('the options page shows an error when no server responds', async () => {
  const options = await fixture.firefox.openTab('options.html');
  await options.waitFor(ADDRESS_FIELD);
  await options.type('[name="server"]', `http://localhost:${await freePort()}`);
  await options.press('Save');
  await options.waitFor(`return document.body.textContent.includes('isn’t responding')`);
});

test('the options page shows the token and imports another one', async () => {
  const client = createClient({ baseUrl: fixture.server.baseUrl });
  const [first, second] = await Promise.all(
    ['https://example.com/1', 'https://example.com/2'].map(async (originalUrl) => {
      const created = await client.createLink({ body: { originalUrl } });
      return created.ok ? `curt:${fixture.server.baseUrl}#${created.data.authToken}` : '';
    }),
  );
  const options = await fixture.firefox.openTab('options.html');
  await options.waitFor(ADDRESS_FIELD);
  for (const [code, button] of [
    [first, 'Use it'],
    [second, 'Switch account'],
  ]) {
    await options.type('[name="other-token"]', code ?? '');
    await options.press(button ?? '');
    await options.waitFor(`return document.body.textContent.includes('Curt uses it from now on')
      && document.querySelector('[name="other-token"]').value === ''`);
  }
  await options.press('Show');
  await options.waitFor(
    `return document.querySelector('[name="token"]').value === ${JSON.stringify(second)}`,
  );
  await options.waitFor(`return document.body.textContent.includes('Old keys')`);
  await options.press('Delete all data…');
  await options.waitFor(`return document.querySelector('dialog[open]') !== null`);
  await options.press('Cancel');
});

test('a click on the toolbar button shortens the page, and shows and copies the link', async () => {
  const target = `${fixture.site.origin}/clicked-in-firefox`;
  await fixture.firefox.openTab(target);
  const popup = await fixture.firefox.clickToolbarButton();
  const shown = await popup.waitFor<string>(`return document.querySelector('output')?.textContent`);
  await popup.waitFor(`return document.body.textContent.includes('Short link copied')`);
  const shortUrl = await fixture.firefox.readClipboard();
  expect(shortUrl).toBe(`http://${shown}`);
  expect(new URL(shortUrl).origin).toBe(fixture.server.baseUrl);
  expect(await redirectOf(shortUrl)).toBe(target);
});

test('a second click shows the existing link, and “More” changes it', async () => {
  const target = `${fixture.site.origin}/clicked-twice-in-firefox`;
  await fixture.firefox.openTab(target);
  const first = await fixture.firefox.clickToolbarButton();
  await first.waitFor(`return document.body.textContent.includes('Short link copied')`);
  const shortUrl = await fixture.firefox.readClipboard();
  const second = await fixture.firefox.clickToolbarButton();
  await second.waitFor(`return document.body.textContent.includes('Already shortened')`);
  const shown = JSON.stringify(shortUrl.replace('http://', ''));
  await second.waitFor(`return document.querySelector('output')?.textContent === ${shown}`);

  await second.execute(`document.querySelector('.disclosure').click()`);
  await second.waitFor(`return document.querySelector('form.link-form')`);
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
  await second.execute(`document.querySelector('.link-form .primary').click()`);
  await second.waitFor(`return document.querySelector('output').textContent.endsWith('/firefox')`);
  await second.waitFor(`return document.body.textContent.includes('link copied')`);
  expect(await fixture.firefox.readClipboard()).toBe(`${fixture.server.baseUrl}/firefox`);
  expect(await redirectOf(`${fixture.server.baseUrl}/firefox`)).toBe(target);
  await second.waitFor(`return document.querySelector('.facts')?.textContent.includes('Expires')`);
});

test.each([
  ['a link', '#next', 'shorten-link', '/next'],
  ['a page', 'h1', 'shorten-page', '/right-clicked-in-firefox'],
])('the context menu shortens %s and copies the link', async (_, on, entry, path) => {
  await fixture.firefox.openTab(`${fixture.site.origin}/right-clicked-in-firefox`);
  const before = await fixture.firefox.readClipboard();
  await fixture.firefox.chooseFromContextMenu(on, entry);
  await expect.poll(() => fixture.firefox.readClipboard()).not.toBe(before);
  expect(await redirectOf(await fixture.firefox.readClipboard())).toBe(
    `${fixture.site.origin}${path}`,
  );
});

describe('a stopped background is started by', () => {
  const TARGET = '/woken-in-firefox';

  test.each<[string, string, () => Promise<unknown>]>([
    [
      'the context menu',
      `${TARGET}-by-menu`,
      () => fixture.firefox.chooseFromContextMenu('h1', 'shorten-page'),
    ],
    ['its keys', `${TARGET}-by-keys`, () => fixture.firefox.pressKeys(['Alt', 'Shift', 'y'])],
    [
      'the address bar',
      `${TARGET}-by-bar`,
      () => fixture.firefox.enterInAddressBar(`curt ${fixture.site.origin}${TARGET}-by-bar`),
    ],
    ['its button', `${TARGET}-by-button`, () => fixture.firefox.clickToolbarButton()],
  ])('%s, without losing the request', async (_, path, act) => {
    await fixture.firefox.openTab(`${fixture.site.origin}${path}`);
    const before = await fixture.firefox.readClipboard();
    await fixture.firefox.stopBackground();
    await act();
    await expect.poll(() => fixture.firefox.readClipboard()).not.toBe(before);
    expect(await redirectOf(await fixture.firefox.readClipboard())).toBe(
      `${fixture.site.origin}${path}`,
    );
  });
});

test('Getting started connects, shortens a page and copies the link', async () => {
  const steps = await fixture.firefox.openTab('welcome.html');
  await steps.waitFor(ADDRESS_FIELD);
  await steps.type('[name="server"]', fixture.server.baseUrl);
  await steps.execute(`document.querySelector('[name="server"]').form.requestSubmit()`);
  await steps.waitFor(`return document.body.textContent.includes('Connected to Curt')`);
  const target = `${fixture.site.origin}/first-in-firefox`;
  await steps.type('[name="page"]', target);
  await steps.execute(`document.querySelector('[name="page"]').form.requestSubmit()`);
  const shortUrl = await steps.waitFor<string>(`return document.querySelector('.short-url')?.href`);
  await steps.press('Copy');
  await expect.poll(() => fixture.firefox.readClipboard()).toBe(shortUrl);
  expect(await redirectOf(shortUrl)).toBe(target);
});

test('the options page shows the shortcuts that Firefox has assigned', async () => {
  const options = await fixture.firefox.openTab('options.html');
  const keys = await options.waitFor<string[]>(
    `const keys = [...document.querySelectorAll('.shortcut kbd')].map((key) => key.textContent);
     return keys.length > 0 && keys`,
  );
  expect(keys).toEqual(['Alt+Shift+U', 'Alt+Shift+Y', 'Alt+Shift+O']);
});

test('My links lists, finds and copies a created link', async () => {
  for (const path of ['/listed-in-firefox', '/other-in-firefox']) {
    const before = await fixture.firefox.readClipboard();
    await fixture.firefox.openTab(`${fixture.site.origin}${path}`);
    await fixture.firefox.chooseFromContextMenu('h1', 'shorten-page');
    await expect.poll(() => fixture.firefox.readClipboard()).not.toBe(before);
  }
  const newest = await fixture.firefox.readClipboard();
  const links = await fixture.firefox.openTab('links.html');
  const shown = `[...document.querySelectorAll('.row .target')].map((one) => one.title)`;
  const paths = `${shown}.map((target) => new URL(target).pathname)`;
  await links.waitFor(
    `return ${paths}.slice(0, 2).join() === '/other-in-firefox,/listed-in-firefox'`,
  );
  await links.type('[type="search"]', 'LISTED-in');
  await links.waitFor(`return ${paths}.join() === '/listed-in-firefox'`);
  await links.press('Copy');
  await expect.poll(() => fixture.firefox.readClipboard()).not.toBe(newest);
  expect(await redirectOf(await fixture.firefox.readClipboard())).toBe(
    `${fixture.site.origin}/listed-in-firefox`,
  );
});

test('My links copies a QR code as an image', async () => {
  const links = await fixture.firefox.openTab('links.html');
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

test('the account and its links follow a server to its new address', async () => {
  const folder = await newFolder();
  const before = await startServer({ folder });
  onTestFinished(async () => void (await before.stop()));
  const options = await fixture.firefox.openTab('options.html');
  await options.waitFor(ADDRESS_FIELD);
  await options.type('[name="server"]', before.baseUrl);
  await options.press('Save');
  await options.waitFor(`return document.body.textContent.includes('Connected to Curt')`);
  const target = `${fixture.site.origin}/before-the-move`;
  await fixture.firefox.openTab(target);
  const popup = await fixture.firefox.clickToolbarButton();
  await popup.waitFor(`return document.body.textContent.includes('Short link copied')`);
  const { origin, pathname } = new URL(await fixture.firefox.readClipboard());
  expect(origin).toBe(before.baseUrl);

  await before.stop();
  const after = await startServer({ folder });
  onTestFinished(async () => void (await after.stop()));
  const again = await fixture.firefox.openTab('options.html');
  await again.waitFor(ADDRESS_FIELD);
  await again.type('[name="server"]', after.baseUrl);
  await again.press('Save');
  await again.waitFor(`return document.body.textContent.includes('come along')`);
  await again.press('Use the new address');
  await again.waitFor(`return document.body.textContent.includes('Connected to Curt')`);
  const links = await fixture.firefox.openTab('links.html');
  const shown = `[...document.querySelectorAll('.row .target')].map((one) => one.title)`;
  await links.waitFor(`return ${shown}.join() === ${JSON.stringify(target)}`);
  expect(await redirectOf(after.baseUrl + pathname)).toBe(target);
});
