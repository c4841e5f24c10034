import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, test } from 'vitest';
import type { browser } from 'wxt/browser';
import { createClient } from '../../shared/client.ts';
import {
  type ChromiumWithExtension,
  launchChromiumWithExtension,
} from '../e2e/support/browser/chromium.ts';
import { openParts } from '../e2e/support/checks/rules-editor.ts';
import { choose, expectStatus, fill, press } from '../e2e/support/extension/extension-fixture.ts';
import { type RunningServer, startServer } from '../e2e/support/servers/server.ts';
import { dataOf } from '../support/data-of.ts';
import { compose, type Scene, STORE_SIZE } from './compose.ts';
import { type Front, startFront } from './https-front.ts';
import { linksTable } from './links.ts';

/** In the extension's own worker, where the functions handed to `evaluate` run. */
declare const chrome: typeof browser;

const CURT = 's.example.com';
const ARTICLE = 'https://coast.example.com/stories/lighthouses-of-the-northern-coast';
const FOLDER = join(import.meta.dirname, '../../extension/packaging/pictures');
/** The popup's width in CSS pixels. Its screenshot is twice as wide. */
const POPUP_WIDTH = 360;
const HEADER_HEIGHT = 56;

let chromium: ChromiumWithExtension;
let server: RunningServer;
let front: Front;
let article: Page;

beforeAll(async () => {
  server = await startServer({ env: { BASE_URL: `https://${CURT}`, RATE_LIMIT_PER_MINUTE: '10' } });
  front = await startFront(CURT, server.baseUrl);
  chromium = await launchChromiumWithExtension(undefined, {
    switches: [
      `--host-resolver-rules=MAP *:443 127.0.0.1:${front.port}, MAP * ~NOTFOUND`,
      '--ignore-certificate-errors',
      // A popup has no viewport to set: only this makes its screenshot sharp.
      '--force-device-scale-factor=2',
      '--screen-info={2560x2400 devicePixelRatio=2}',
    ],
  });
  await store({ settings: { serverOrigin: `https://${CURT}` } });
  article = await chromium.openPage(ARTICLE);
});

afterAll(async () => {
  await chromium?.close();
  await front?.stop();
  await server?.stop();
});

test('the popup with a new link, in light, in dark and in a browser window', async () => {
  const popup = await chromium.clickToolbarButton(article);
  await expectStatus(popup, 'Short link copied');
  const light = await screenshot(popup);
  await setColorScheme(popup, 'dark');
  const dark = await screenshot(popup);
  await popup.close();

  await save('popup', light);
  await saveScene('store-1-popup', {
    template: 'stage.html',
    colorScheme: 'light',
    texts: {
      '.claim': 'Short links in one click',
      '.more': 'Created by your own server and copied right away.',
    },
    pictures: { '.popup': { png: light, width: 1.5 * POPUP_WIDTH } },
  });

  await saveScene('store-2-popup-dark', {
    template: 'stage.html',
    colorScheme: 'dark',
    texts: {
      '.claim': 'Made for dark mode, too',
      '.more': 'In six languages, and fully usable with the keyboard.',
    },
    pictures: { '.popup': { png: dark, width: 1.5 * POPUP_WIDTH } },
  });

  await article.setViewport({ ...STORE_SIZE, height: STORE_SIZE.height - HEADER_HEIGHT });
  await saveScene('store-3-in-context', {
    template: 'window.html',
    colorScheme: 'light',
    texts: { '.address': ARTICLE.replace('https://', '') },
    pictures: {
      '.page': { png: await article.screenshot(), width: STORE_SIZE.width },
      '.popup': { png: light, width: POPUP_WIDTH },
    },
  });
});

test('the popup with its options open', async () => {
  const popup = await chromium.clickToolbarButton(article);
  await expectStatus(popup, 'Already shortened, link copied');
  await press(popup, 'More');
  await openParts(popup);
  await fill(popup, 'Custom alias', 'lights');
  await choose(popup, 'Custom');
  await fill(popup, 'Duration', '30');
  await fill(popup, 'Password for visitors', 'foghorn');
  await popup.$eval('.link-bar', (bar) => bar.scrollIntoView());
  const form = await screenshot(popup);
  await popup.close();
  await saveScene('store-4-options', {
    template: 'stage.html',
    colorScheme: 'light',
    texts: {
      '.claim': 'All the options you need',
      '.more': 'A custom alias, an expiry date, a password and more.',
    },
    pictures: { '.popup': { png: form, width: 1.2 * POPUP_WIDTH } },
  });
});

test('the list of links, and the settings', async () => {
  await importLinks();
  for (const [name, path] of [
    ['store-5-links', 'links.html'],
    ['store-6-settings', 'options.html'],
  ] as const) {
    const page = await chromium.openExtensionPage(path);
    await page.setViewport(STORE_SIZE);
    await page.emulateTimezone('UTC');
    await page.reload();
    await page.waitForSelector('main h2');
    if (path === 'options.html') await testConnection(page);
    else await page.waitForSelector('.row:nth-child(5)');
    await save(name, await screenshot(page));
    await page.close();
  }
});

/** Adds links to the account that the popup opened. */
async function importLinks(): Promise<void> {
  const { accountTokens = {} } = await chromium.worker.evaluate(
    () => chrome.storage.local.get() as Promise<{ accountTokens?: Record<string, string> }>,
  );
  const client = createClient({ baseUrl: server.baseUrl });
  const token = accountTokens[`https://${CURT}`] ?? '';
  dataOf(await client.importLinks({ token, file: linksTable() }));
}

async function testConnection(page: Page): Promise<void> {
  await page.waitForFunction(() => document.body.textContent?.includes('Connected to Curt'));
}

async function store(items: object): Promise<void> {
  await chromium.worker.evaluate((stored) => chrome.storage.local.set(stored), items);
}

async function setColorScheme(page: Page, value: Scene['colorScheme']): Promise<void> {
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
}

/** Takes a screenshot once fonts have loaded and nothing moves. */
async function screenshot(page: Page): Promise<Uint8Array> {
  await page.evaluate(async () => {
    (document.activeElement as HTMLElement | null)?.blur();
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 300)));
  });
  return page.screenshot();
}

async function saveScene(name: string, scene: Scene): Promise<void> {
  await save(name, await compose(chromium.browser, scene));
}

function save(name: string, png: Uint8Array): Promise<void> {
  return writeFile(join(FOLDER, `${name}.png`), png);
}
