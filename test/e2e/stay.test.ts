import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Chromium, launchChromium } from './support/browser/chromium.ts';
import { endBrowser } from './support/browser/close-all.ts';
import { launchFirefox } from './support/browser/plain-firefox.ts';
import { openAccount } from './support/dashboard/dashboard-fixture.ts';
import { type AppServer, startAppServer } from './support/servers/app-server.ts';

let chromium: Chromium;
let firefox: Browser;
let server: AppServer;
/** A site that never answers. */
let silent: Server;

beforeAll(async () => {
  silent = createServer(() => {});
  silent.listen(0, 'localhost');
  [chromium, firefox, server] = await Promise.all([
    launchChromium(),
    launchFirefox(),
    startAppServer(),
    once(silent, 'listening'),
  ]);
});

afterAll(async () => {
  await chromium?.close();
  await endBrowser(firefox);
  await server?.stop();
  silent?.closeAllConnections();
  silent?.close();
});

test.each(['Chromium', 'Firefox'] as const)(
  '"Stay here" also stops the way to a target that is slow to answer: %s',
  async (name) => {
    const { port } = silent.address() as AddressInfo;
    const originalUrl = `http://localhost:${port}/${name}`;
    const page = await (name === 'Firefox' ? firefox.newPage() : chromium.openPage('about:blank'));
    // While Chromium is on its way to another page, only the mouse reaches this one.
    const same = await openAccount(server, { originalUrl, waitTimer: 300 });
    await page.goto(same.shortUrl);
    const button = await page.waitForSelector('[data-stay]');
    const box = await button?.boundingBox();
    const { shortUrl } = await openAccount(server, { originalUrl, waitTimer: 1 });
    const asked = once(silent, 'request');
    await page.goto(shortUrl, { waitUntil: 'domcontentloaded' });
    const [request] = (await asked) as [IncomingMessage];
    const stopped = once(request.socket, 'close');
    await page.mouse.click((box?.x ?? 0) + 20, (box?.y ?? 0) + 20);
    // The browser hangs up.
    await stopped;
    expect(page.url()).toBe(shortUrl);
    const text = () => page.$eval('[data-text]', ({ textContent }) => textContent);
    await expect.poll(text).toMatch(/^You’re staying/);
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(focused).toBe('Continue');
    const again = once(silent, 'request');
    await page.keyboard.press('Enter');
    await again;
    await page.close();
  },
);
