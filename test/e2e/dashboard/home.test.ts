import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../shared/client.ts';
import { dataOf } from '../../support/data-of.ts';
import { newFolder } from '../../support/new-folder.ts';
import type { PageOptions } from '../support/browser/chromium.ts';
import { click } from '../support/browser/click.ts';
import { pasteInto } from '../support/browser/clipboard.ts';
import { readQr } from '../support/checks/read-qr.ts';
import {
  collectComplaints,
  follow,
  headingOf,
  press,
  textOf,
  useDashboard,
} from '../support/dashboard/dashboard-fixture.ts';
import { startAppServer } from '../support/servers/app-server.ts';

const fixture = useDashboard();
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><path d="M0 0h40v40H0z"/></svg>';

/** Enters a URL in the home page's form, with the keyboard only. */
async function shortenAtHome(url: string, options: PageOptions = {}) {
  const page = await fixture.chromium.openPage(fixture.server.baseUrl, options);
  await page.type('#original-url', url);
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  return page;
}

async function linksOf(token: string) {
  const listed = await createClient({ baseUrl: fixture.server.baseUrl }).listLinks({ token });
  return listed.ok ? listed.data.data : [];
}

const tokenOn = (page: Page) => page.$eval('#token', (field) => field.getAttribute('value') ?? '');

test('without the extension: create a link, keep its token, open the dashboard', async () => {
  const page = await shortenAtHome('example.com/without-extension');
  const complaints = collectComplaints(page);
  expect(await headingOf(page)).toBe('Short link created');
  const token = await tokenOn(page);
  const listed = await createClient({ baseUrl: fixture.server.baseUrl }).listLinks({ token });
  const [link] = listed.ok ? listed.data.data : [];
  expect(link).toMatchObject({ originalUrl: 'https://example.com/without-extension' });
  expect(await textOf(page)).toContain(link?.shortUrl);

  await press(page, 'Copy sign-in key');
  await expect.poll(() => textOf(page)).toContain('Copied.');
  expect(await fixture.chromium.readClipboard()).toBe(token);
  await page.bringToFront();
  const downloads = await fixture.chromium.collectDownloads();
  await press(page, 'Save as file');
  const file = (await downloads.take('curt-sign-in-key.txt')).toString();
  await downloads.stop();
  expect(file).toBe(`curt:${fixture.server.baseUrl}#${token}\n`);

  await click(page, '.phone summary');
  const code = await page.waitForSelector('.phone svg');
  const picture = Buffer.from((await code?.screenshot({ type: 'png' })) ?? []);
  // A page without a content security policy, which would block the picture.
  const blank = await fixture.chromium.openPage('about:blank');
  const { text } = await readQr(blank, picture, 'image/png');
  await page.bringToFront();
  expect(text).toMatch(addressWithCode());

  await follow(page, 'Open the dashboard');
  await page.waitForSelector('nav');
  expect(page.url()).toBe(`${fixture.server.baseUrl}/dashboard`);
  expect(await page.evaluate(() => sessionStorage.getItem('curt-token'))).toBe(token);
  expect(complaints).toEqual([]);
});

const addressWithCode = () => new RegExp(`^${fixture.server.baseUrl}/dashboard#code=[\\w-]{22}$`);

test('works without JavaScript, and leads to the sign-in with the token', async () => {
  const page = await shortenAtHome('https://example.com/plain', { javaScript: false });
  expect(await headingOf(page)).toBe('Short link created');
  const token = await tokenOn(page);
  expect((await createClient({ baseUrl: fixture.server.baseUrl }).getAccount({ token })).ok).toBe(
    true,
  );
  const target = await page.$eval('.actions a', (link) => (link as HTMLAnchorElement).href);
  expect(target).toMatch(addressWithCode());

  // On another device, it signs in once, with a key of its own.
  const other = await fixture.chromium.openPage(target);
  await press(other, 'Sign in');
  await other.waitForSelector('nav');
  const own = await other.evaluate(() => sessionStorage.getItem('curt-token'));
  expect(own).not.toBe(token);
  const tokens = dataOf(
    await createClient({ baseUrl: fixture.server.baseUrl }).listTokens({ token }),
  );
  expect(tokens.map(({ name }) => name)).toEqual(['', 'Chrome']);
  const late = await fixture.chromium.openPage(target);
  await press(late, 'Sign in');
  await late.waitForFunction(() => document.body.innerText.includes('no longer signs in'));
});

test('a URL in pasted lines is entered alone', async () => {
  await fixture.chromium.writeClipboard('Look:\nhttps://example.com/a_(b), it is new');
  const page = await fixture.chromium.openPage(fixture.server.baseUrl);
  await page.focus('#original-url');
  await pasteInto(page);
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  const [link] = await linksOf(await tokenOn(page));
  expect(link?.originalUrl).toBe('https://example.com/a_(b)');
});

test('two pasted URLs make no link, but a sentence', async () => {
  await fixture.chromium.writeClipboard('https://example.com/a\nhttps://example.com/b');
  const page = await fixture.chromium.openPage(fixture.server.baseUrl);
  await page.focus('#original-url');
  await pasteInto(page);
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  expect(await textOf(page)).toContain('one URL at a time');
  expect(await page.$eval('#original-url', (field) => (field as HTMLInputElement).value)).toBe(
    'https://example.com/a https://example.com/b',
  );
});

test('shows what is wrong with the URL at the field, and keeps it', async () => {
  const page = await shortenAtHome('mailto:someone@example.com', { javaScript: false });
  const field = await page.$eval('#original-url', (input) => ({
    value: input.getAttribute('value'),
    isInvalid: input.getAttribute('aria-invalid'),
    issue: document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent,
  }));
  expect(field).toMatchObject({ value: 'mailto:someone@example.com', isInvalid: 'true' });
  expect(field.issue).not.toBe('');
});

test('somebody who is signed in shortens in the dashboard, not in a new account', async () => {
  const first = await shortenAtHome('https://example.com/first');
  const token = await tokenOn(first);
  await follow(first, 'Open the dashboard');
  await first.waitForSelector('nav');
  await first.goto(fixture.server.baseUrl);
  await expect.poll(() => textOf(first)).toContain('You are signed in.');
  await first.type('#original-url', 'https://example.com/second');
  await Promise.all([first.waitForNavigation(), first.keyboard.press('Enter')]);
  expect(first.url()).toBe(
    `${fixture.server.baseUrl}/dashboard/share?url=https%3A%2F%2Fexample.com%2Fsecond`,
  );
  expect((await createClient({ baseUrl: fixture.server.baseUrl }).getAccount({ token })).ok).toBe(
    true,
  );
});

test('the dashboard shows the logo and the name of the operator', async () => {
  const file = join(await newFolder(), 'logo.svg');
  writeFileSync(file, LOGO);
  const server = await startAppServer({ env: { BRAND_NAME: 'Harbor', BRAND_LOGO: file } });
  onTestFinished(async () => {
    await server.stop();
  });
  const page = await fixture.chromium.openPage(`${server.baseUrl}/dashboard`);
  await page.waitForSelector('.brand img');
  expect(await page.$eval('.brand', (brand) => brand.textContent)).toBe('Harbor');
  const url = await page.$eval('.brand img', (image) => (image as HTMLImageElement).src);
  expect(await (await fetch(url)).text()).toBe(LOGO);
  const isDrawn = () =>
    page.$eval('.brand img', (image) => (image as HTMLImageElement).naturalWidth > 0);
  await expect.poll(isDrawn).toBe(true);
});

test.each(['reload', 'back'] as const)(
  'after signing out, the result of the home page shows no key: %s',
  async (way) => {
    const page = await shortenAtHome('https://example.com/shared-computer');
    const token = await tokenOn(page);
    await follow(page, 'Open the dashboard');
    await page.waitForSelector('nav');
    await press(page, 'Sign out');
    await page.waitForSelector('input[name="token"]');
    await page.goBack();
    if (way === 'reload') await page.reload();
    await page.waitForSelector('h1');
    expect(await page.content()).not.toContain(token);
    expect(await textOf(page)).not.toContain(token);
    // And nothing was sent again.
    const listed = await createClient(fixture.server).listLinks({ token });
    expect(listed.ok && listed.data.data).toHaveLength(1);
  },
);

test('a reload of the result opens the form again, and creates no link', async () => {
  const page = await shortenAtHome('https://example.com/reloaded');
  const token = await tokenOn(page);
  await page.reload();
  await page.waitForSelector('#original-url');
  expect(await page.content()).not.toContain(token);
});

test.each([
  ['reload', (page: Page) => page.reload()],
  ['back', (page: Page) => page.goBack()],
  ['leave and come back', (page: Page) => page.goto('about:blank').then(() => page.goBack())],
] as const)('without JavaScript, too, nothing in the history gives the key: %s', async (_, go) => {
  const page = await shortenAtHome('https://example.com/no-script', { javaScript: false });
  const token = await tokenOn(page);
  await go(page);
  expect(await page.content()).not.toContain(token);
  // The form in the history is a new one.
  await page.goto(fixture.server.baseUrl);
  await page.goBack();
  expect(await page.content()).not.toContain(token);
  expect(await linksOf(token)).toHaveLength(1);
});

test('without the clipboard of a secure page, a short link and its key are copied', async () => {
  const page = await shortenAtHome('https://example.com/plain-http');
  const token = await tokenOn(page);
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await press(page, 'Copy sign-in key');
  await expect.poll(() => textOf(page)).toContain('Copied.');
  expect(await fixture.chromium.readClipboard()).toBe(token);
});
