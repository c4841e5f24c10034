import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Chromium, launchChromium } from '../support/browser/chromium.ts';
import { endBrowser } from '../support/browser/close-all.ts';
import { launchFirefox } from '../support/browser/plain-firefox.ts';
import { openAccount, press, textOf } from '../support/dashboard/dashboard-fixture.ts';
import { type AppServer, startAppServer } from '../support/servers/app-server.ts';

/** Longer than any browser remembers a click. */
const SLOW_MS = 7000;

let chromium: Chromium;
let firefox: Browser;
let server: AppServer;
/** The server, which takes long to create a link. */
let slow: { baseUrl: string; creations: () => number; stop(): void };

beforeAll(async () => {
  [chromium, firefox, server] = await Promise.all([
    launchChromium(),
    launchFirefox(),
    startAppServer(),
  ]);
  slow = await startSlowProxy(server.baseUrl);
});

afterAll(async () => {
  await chromium?.close();
  await endBrowser(firefox);
  slow?.stop();
  await server?.stop();
});

async function startSlowProxy(baseUrl: string): Promise<typeof slow> {
  let creations = 0;
  const proxy = createServer((incoming, outgoing) => {
    const isCreation = incoming.method === 'POST' && incoming.url === '/api/shorten';
    if (isCreation) creations += 1;
    const { url: path = '/', method, headers } = incoming;
    const passOn = () => {
      const upstream = request(new URL(path, baseUrl), { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      upstream.on('error', () => outgoing.destroy());
      incoming.pipe(upstream);
    };
    if (isCreation) setTimeout(passOn, SLOW_MS);
    else passOn();
  });
  await new Promise<void>((resolve) => proxy.listen(0, 'localhost', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    baseUrl: `http://localhost:${port}`,
    creations: () => creations,
    stop: () => proxy.close(),
  };
}

async function openForm(page: Page, path: string): Promise<string> {
  const { authToken } = await openAccount(server);
  await page.goto(`${slow.baseUrl}/dashboard`);
  await page.evaluate((token) => sessionStorage.setItem('curt-token', token), authToken);
  await page.goto(`${slow.baseUrl}/dashboard${path}`);
  return authToken;
}

/** Waits until a paste has typed the text into a field. */
async function expectPasted(page: Page, text: string | null): Promise<void> {
  await page.evaluate(() => {
    const field = document.createElement('textarea');
    field.id = 'pasted';
    document.body.append(field);
    field.focus();
  });
  await page.keyboard.down('Control');
  await page.keyboard.press('v');
  await page.keyboard.up('Control');
  const typed = () => page.$eval('#pasted', (field) => (field as HTMLTextAreaElement).value);
  await expect.poll(typed).toBe(text);
}

describe.each(['Chromium', 'Firefox'] as const)('a short link in %s', (name) => {
  const newPage = () => (name === 'Firefox' ? firefox.newPage() : chromium.openPage('about:blank'));

  test('is copied although the server takes 7 seconds, and the form says that it is slow', async () => {
    const page = await newPage();
    await openForm(page, '/create');
    await page.waitForSelector('input[name="originalUrl"]');
    const before = slow.creations();
    await page.type('input[name="originalUrl"]', 'https://example.com/slow');
    // A real key: browsers copy for it, and for no event of a script.
    await page.keyboard.press('Enter');
    await expect.poll(() => textOf(page)).toContain('Still shortening');
    await page.waitForSelector('.created-url');
    await expect.poll(() => textOf(page)).toContain('Short link copied');
    const shortUrl = await page.$eval('.created-url', (link) => link.textContent);
    await expectPasted(page, shortUrl);
    expect(slow.creations()).toBe(before + 1);
    await page.close();
  });

  test('is copied from the field above the list, too', async () => {
    const page = await newPage();
    await openForm(page, '');
    await page.waitForSelector('#new-link');
    await page.type('#new-link', 'https://example.com/slow');
    await page.keyboard.press('Enter');
    await expect.poll(() => textOf(page)).toContain('Still shortening');
    await page.waitForSelector('.row[data-index="1"]');
    const shortUrl = await page.$eval('.row .short-url', (link) => link.getAttribute('title'));
    await page.waitForFunction(() =>
      [...document.querySelectorAll('[role="status"]')].some(
        ({ textContent }) => textContent === 'Short link copied',
      ),
    );
    await expectPasted(page, shortUrl);
    await page.close();
  });
});

test('without a clipboard, a late link is offered to be copied, not to be created again', async () => {
  const page = await chromium.openPage('about:blank');
  await page.evaluateOnNewDocument(() => {
    Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined });
    document.execCommand = () => false;
  });
  await openForm(page, '/create');
  await page.waitForSelector('input[name="originalUrl"]');
  await page.type('input[name="originalUrl"]', 'https://example.com/slow');
  await press(page, 'Shorten and copy');
  await page.waitForSelector('.created-url');
  await expect.poll(() => textOf(page)).toContain('Couldn’t copy. Click “Copy”.');
  expect(await textOf(page)).not.toContain('Try again');
});
