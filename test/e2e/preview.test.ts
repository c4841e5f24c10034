import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { CreatedLinkRecord } from '../../shared/links/link-record.ts';
import type { ShortenRequest } from '../../shared/links/shorten-request.ts';
import type { Chromium, PageOptions } from './support/browser/chromium.ts';
import { click } from './support/browser/click.ts';
import { openSharedChromium } from './support/browser/shared-chromium.ts';
import { findViolations } from './support/checks/accessibility.ts';
import { readQr } from './support/checks/read-qr.ts';
import { openAccount, textOf } from './support/dashboard/dashboard-fixture.ts';
import { type AppServer, startAppServer } from './support/servers/app-server.ts';
import { interceptOutside, type OutsideAnswer } from './support/servers/outside.ts';
import { type Site, startSite } from './support/servers/site.ts';
import {
  CONTAINER_ID,
  CONTAINER_URL,
  container,
  hostileContainer,
  script,
} from './support/servers/tag-manager.ts';

const PHONE = { width: 320, height: 640 };

let chromium: Chromium;
let server: AppServer;
let site: Site;
let targets = 0;

beforeAll(async () => {
  [chromium, server, site] = await Promise.all([
    openSharedChromium(),
    startAppServer(),
    startSite(),
  ]);
});

afterAll(async () => {
  await chromium?.close();
  await server?.stop();
  await site?.stop();
});

afterEach(() => chromium?.closePages());

test.each([
  'en-US',
  // Of Chromium on some Linux systems, which refuses it as a locale.
  'en-US@posix',
])(
  'the page of a link that is not active yet names the time in the time zone of a visitor whose language is %s',
  async (language) => {
    const { shortUrl } = await shorten({
      startsAt: '2099-01-31T20:30:00Z',
      expiresAt: '2099-06-30T20:30:00Z',
    });
    const { page, complaints } = await openTab();
    await page.emulateTimezone('Asia/Tokyo');
    await page.evaluateOnNewDocument((tag) => {
      Object.defineProperty(navigator, 'languages', { value: [tag, 'en'] });
    }, language);
    await page.goto(shortUrl);
    await page.waitForFunction(() =>
      document.querySelector('time')?.textContent?.includes('GMT+9'),
    );
    expect(await page.$eval('main p', (text) => text.textContent)).toMatch(
      /^It works from February 1, 2099 at 5:30.AM GMT\+9\.$/,
    );
    expect(complaints.filter((text) => !text.includes('425'))).toEqual([]);
    const script = new URL('/assets/local-times.js', shortUrl);
    expect((await fetch(script)).status).toBe(200);
  },
);

test('a double click on what leads to a link is one visit', async () => {
  const { shortUrl } = await shorten({ maxVisits: 1, password: 'secret' });
  const { page } = await openTab();
  for (const path of [shortUrl, `${shortUrl}+`]) {
    await page.goto(path);
    await page.evaluate(() => {
      // Stays on the page, as with a slow target.
      const sent: string[] = [];
      Object.assign(window, { sent });
      addEventListener('submit', (event) => {
        if (!event.defaultPrevented) sent.push('form');
        event.preventDefault();
      });
    });
    await page.type('#password', 'secret');
    await page.click('button[type=submit]', { count: 2 });
    expect(await page.evaluate(() => (window as unknown as { sent: string[] }).sent)).toEqual([
      'form',
    ]);
  }
});

describe('a link with a wait timer', () => {
  test('counts down, then opens its target, without a request to any other host', async () => {
    const { shortUrl, originalUrl } = await shorten({ waitTimer: 2 });
    const { page, outside, complaints } = await openTab();
    const seconds = await recordCountdown(page);
    const start = performance.now();
    await page.goto(shortUrl);
    await arrival(page, originalUrl);
    expect(performance.now() - start).toBeGreaterThanOrEqual(2000);
    // A busy machine may skip a second.
    expect(seconds[0]).toBe(2);
    expect(seconds.at(-1)).toBeLessThan(2);
    expect(seconds).toEqual(seconds.toSorted((one, other) => other - one));
    expect(outside.asked).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('also opens its target without JavaScript', async () => {
    const { shortUrl, originalUrl } = await shorten({ waitTimer: 2 });
    const { page } = await openTab({ javaScript: false });
    // Not of the page: its target replaces it soon.
    expect(await (await fetch(shortUrl)).text()).toContain('Time left: 2 seconds');
    const start = performance.now();
    await page.goto(shortUrl);
    await arrival(page, originalUrl);
    expect(performance.now() - start).toBeGreaterThanOrEqual(2000);
  });

  test('stays open after "Stay here", and opens its target on "Continue"', async () => {
    const stopped = await shorten({ waitTimer: 2 });
    const { page } = await openTab();
    await stayAtOnce(page);
    await page.goto(stopped.shortUrl);

    // The clock is another visitor, whose longer wait begins after this one was stopped.
    const other = await shorten({ waitTimer: 4 });
    const { page: otherPage } = await openTab();
    await otherPage.goto(other.shortUrl);
    await arrival(otherPage, other.originalUrl);
    expect(page.url()).toBe(stopped.shortUrl);

    await page.bringToFront();
    await expectText(page, /You can continue now/);
    await press(page, 'Continue');
    await arrival(page, stopped.originalUrl);
  });
});

describe('a link with a Tag Manager container', () => {
  test('requests only the container, and opens its target when the container is done', async () => {
    const { shortUrl, originalUrl } = await shorten({ customGtmId: CONTAINER_ID });
    const { page, outside, complaints } = await openTab({}, () => container());
    await page.evaluateOnNewDocument(() => {
      const { setTimeout: later } = globalThis;
      // The page continues by itself after 2 seconds: longer than this test waits.
      Object.assign(globalThis, {
        setTimeout: (run: () => void, ms = 0) => later(run, ms === 2000 ? 600_000 : ms),
      });
    });
    await page.goto(shortUrl, { waitUntil: 'domcontentloaded' });
    await arrival(page, originalUrl);
    expect(outside.asked).toEqual([CONTAINER_URL]);
    expect(complaints).toEqual([]);
  });

  test.each([
    ['never responds', 'never'],
    ['is unreachable', 'refuse'],
    ['never reports that it is done', { body: '' }],
  ] as const)('opens its target when the container %s', async (_, answer) => {
    const { shortUrl, originalUrl } = await shorten({ customGtmId: CONTAINER_ID });
    const { page, outside } = await openTab({}, () => answer);
    await page.goto(shortUrl, { waitUntil: 'domcontentloaded' });
    await arrival(page, originalUrl);
    expect(outside.asked).toEqual([CONTAINER_URL]);
  });

  test('waits for the whole wait timer, even when the container is done earlier', async () => {
    const { shortUrl, originalUrl } = await shorten({ customGtmId: CONTAINER_ID, waitTimer: 2 });
    const { page } = await openTab({}, () => container());
    const start = performance.now();
    await page.goto(shortUrl, { waitUntil: 'domcontentloaded' });
    await arrival(page, originalUrl);
    expect(performance.now() - start).toBeGreaterThanOrEqual(2000);
  });

  test('lets the tags of its container load and send data', async () => {
    const { shortUrl } = await shorten({ customGtmId: CONTAINER_ID, waitTimer: 300 });
    const { page, outside, complaints } = await openTab({}, ({ href }) => {
      if (href === CONTAINER_URL) return container('https://tags.example/tag.js');
      if (!href.endsWith('.js'))
        return { status: 204, headers: { 'access-control-allow-origin': '*' } };
      return script(`fetch('https://tags.example/sent');
        new Image().src = 'https://tags.example/pixel'`);
    });
    await page.goto(shortUrl);
    const reports = [
      'https://tags.example/tag.js',
      'https://tags.example/sent',
      'https://tags.example/pixel',
    ];
    await expect
      .poll(() => outside.asked.toSorted())
      .toEqual([CONTAINER_URL, ...reports].toSorted());
    expect(complaints).toEqual([]);
  });
});

describe('a container page', () => {
  test('counts down, and stays open after "Stay here"', async () => {
    const { shortUrl, originalUrl } = await shorten({ customGtmId: CONTAINER_ID, waitTimer: 2 });
    const { page, complaints } = await openTab({}, () => container());
    await stayAtOnce(page);
    await page.goto(shortUrl);
    await expectText(page, /You can continue now/);
    expect(page.url()).toBe(shortUrl);
    await press(page, 'Continue');
    await arrival(page, originalUrl);
    expect(complaints).toEqual([]);
  });

  test('opens a target that is a download', async () => {
    const { shortUrl } = await shorten({
      customGtmId: CONTAINER_ID,
      originalUrl: `${site.origin}/saved.txt?download=saved.txt`,
    });
    const downloads = await chromium.collectDownloads();
    const { page } = await openTab({}, () => container());
    await page.goto(shortUrl, { waitUntil: 'domcontentloaded' });
    expect((await downloads.take('saved.txt')).toString()).toContain('/saved.txt');
    await downloads.stop();
  });

  test('isolates a hostile container from the rest of the short domain', async () => {
    const { shortUrl } = await shorten({ customGtmId: CONTAINER_ID, waitTimer: 300 });
    const { shortUrl: victim } = await shorten({ password: 'open sesame' });
    expect(await attack(shortUrl, victim)).toEqual({
      origin: 'null',
      cookie: 'SecurityError',
      localStorage: 'SecurityError',
      indexedDB: 'SecurityError',
      serviceWorker: 'SecurityError',
      replaceState: 'SecurityError',
      pushState: 'SecurityError',
      navigateEvent: 'NotSupportedError',
      otherRealm: 'SecurityError',
      otherPage: 'SecurityError',
    });
  });

  test('has the origin of the short domain if CUSTOM_GTM is unsandboxed', async () => {
    const open = await startAppServer({ env: { CUSTOM_GTM: 'unsandboxed' } });
    onTestFinished(async () => {
      await open.stop();
    });
    const { shortUrl } = await shorten({ customGtmId: CONTAINER_ID, waitTimer: 300 }, open);
    const { shortUrl: victim } = await shorten({ password: 'open sesame' }, open);
    expect(await attack(shortUrl, victim)).toMatchObject({
      origin: open.baseUrl,
      cookie: 'allowed',
      localStorage: 'allowed',
      replaceState: 'allowed',
      pushState: 'allowed',
      navigateEvent: 'allowed',
      otherRealm: 'allowed',
      otherPage: 'allowed',
    });
  });
});

describe('a link with a password', () => {
  test('shows an error for a wrong password, and opens its target with the right one', async () => {
    const { shortUrl, originalUrl } = await shorten({ password: 'open sesame', title: 'Treasure' });
    const { page, complaints } = await openTab();
    await page.goto(shortUrl);
    expect(await page.content()).not.toMatch(/Treasure|target-/);

    await enterPassword(page, 'close sesame');
    expect(await descriptionOf(page, 'input[aria-invalid="true"]')).toBe(
      'Wrong password. Try again.',
    );
    expect(await page.content()).not.toMatch(/Treasure|target-/);

    await enterPassword(page, 'open sesame');
    await arrival(page, originalUrl);
    expect(complaints.filter((line) => !line.includes('401'))).toEqual([]);
  });
});

test.each([
  ['qr.png', 'image/png'],
  ['qr.svg', 'image/svg+xml'],
])('%s is a sharp QR code of the short URL', async (file, type) => {
  const { shortUrl } = await shorten();
  const picture = Buffer.from(await (await fetch(`${shortUrl}/${file}`)).arrayBuffer());
  const { page } = await openTab();
  const { text, side, isSharp } = await readQr(page, picture, type);
  expect(text).toBe(shortUrl);
  if (type !== 'image/png') return;
  expect(side).toBeGreaterThanOrEqual(512);
  expect(isSharp).toBe(true);
});

describe.each([
  ['light', 'en', 'ltr'],
  ['dark', 'de', 'ltr'],
  ['light', 'ar', 'rtl'],
] as const)('in the %s color scheme and in %s', (colorScheme, language, direction) => {
  test.each([
    ['home', async () => `${server.baseUrl}/`],
    ['preview', async () => (await shorten({ waitTimer: 300, title: 'A title' })).shortUrl],
    ['password', async () => (await shorten({ password: 'open sesame' })).shortUrl],
    ['plus', async () => `${(await shorten({ title: 'A title' })).shortUrl}+`],
    ['not found', async () => `${server.baseUrl}/never-made`],
    ['gone', () => expiredUrl()],
  ])('the %s page is accessible and fits a phone', async (_, url) => {
    const { page, complaints } = await openTab({ colorScheme });
    await page.setViewport(PHONE);
    await page.setExtraHTTPHeaders({ 'accept-language': language });
    await page.goto(await url());
    const root = await page.evaluate(() => {
      const { lang, dir } = document.documentElement;
      return { lang, dir };
    });
    expect(root).toEqual({ lang: language, dir: direction });
    // In the other language, axe finds the same.
    if (language !== 'ar') expect(await findViolations(page)).toEqual([]);
    expect(complaints.filter((line) => !/\b4(04|10)\b/.test(line))).toEqual([]);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(PHONE.width);
  });
});

test.each(['light', 'dark'] as const)(
  'the error for a wrong password is accessible in the %s color scheme',
  async (colorScheme) => {
    const { shortUrl } = await shorten({ password: 'open sesame' });
    const { page } = await openTab({ colorScheme });
    await page.goto(shortUrl);
    await enterPassword(page, 'close sesame');
    expect(await page.$('[aria-invalid="true"]')).not.toBeNull();
    expect(await findViolations(page)).toEqual([]);
  },
);

/** What a container's script manages to do: `allowed`, or the name of the error. */
async function attack(shortUrl: string, victim: string): Promise<Record<string, string>> {
  const { page } = await openTab({}, () => hostileContainer(victim));
  await page.goto(shortUrl);
  const report = await page.waitForSelector('[data-report]');
  return JSON.parse((await report?.evaluate((node) => node.getAttribute('data-report'))) ?? '');
}

/** A short link to a page of the site that no other test opens. */
async function shorten(
  request: Partial<ShortenRequest> = {},
  { baseUrl } = server,
): Promise<CreatedLinkRecord> {
  targets += 1;
  const originalUrl = `${site.origin}/target-${targets}`;
  return openAccount({ baseUrl }, { originalUrl, ...request });
}

async function expiredUrl(): Promise<string> {
  const { shortUrl } = await shorten({ expiresInMinutes: 0.001 });
  await expect.poll(async () => (await fetch(shortUrl, { method: 'HEAD' })).status).toBe(410);
  return shortUrl;
}

/** A tab that can only reach loopback, with its requests to other hosts and its errors. */
async function openTab(options: PageOptions = {}, answer?: (url: URL) => OutsideAnswer) {
  const page = await chromium.openPage('about:blank', options);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    complaints.push(`${message.text()} (${message.location().url})`);
  });
  return { page, complaints, outside: await interceptOutside(page, answer) };
}

/** Records the seconds that the page's countdown shows, each once. */
async function recordCountdown(page: Page): Promise<number[]> {
  const seconds: number[] = [];
  await page.exposeFunction('recordCountdownText', (text: string) => {
    const [, shown] = /Time left: (\d+) seconds?/.exec(text) ?? [];
    if (shown !== undefined && seconds.at(-1) !== Number(shown)) seconds.push(Number(shown));
  });
  await page.evaluateOnNewDocument(() => {
    const record = () =>
      (globalThis as unknown as { recordCountdownText(text: string): void }).recordCountdownText(
        document.body?.innerText ?? '',
      );
    new MutationObserver(record).observe(document, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  });
  return seconds;
}

/** Chooses "Stay here" when the page has loaded: a click from here may come too late. */
function stayAtOnce(page: Page) {
  return page.evaluateOnNewDocument(() => {
    addEventListener('DOMContentLoaded', () => {
      const buttons = [...document.querySelectorAll('button')];
      buttons.find((button) => button.textContent?.trim() === 'Stay here')?.click();
    });
  });
}

async function arrival(page: Page, url: string): Promise<void> {
  await expect.poll(() => page.url()).toBe(url);
  expect(asksFor(url)).toBe(1);
}

function asksFor(url: string): number {
  return site.asked.filter((path) => site.origin + path === url).length;
}

async function expectText(page: Page, pattern: RegExp): Promise<void> {
  // A page on its way to the next has no text for a moment.
  await expect.poll(() => textOf(page).catch(() => ''), { interval: 20 }).toMatch(pattern);
}

/** Clicks the button or link with this accessible name. */
async function press(page: Page, name: string): Promise<void> {
  await click(page, `::-p-aria(${name})`);
}

/** Submits the form with the keyboard, which needs no script. */
async function enterPassword(page: Page, password: string): Promise<void> {
  await page.type('input[type="password"]', password);
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
}

/** What a screen reader adds to the field's name. */
function descriptionOf(page: Page, selector: string): Promise<string | undefined> {
  return page.$eval(selector, (field) => {
    const description = document.getElementById(field.getAttribute('aria-describedby') ?? '');
    return description?.textContent.trim();
  });
}
