import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, test } from 'vitest';
import type { browser } from 'wxt/browser';
import {
  type ChromiumWithExtension,
  launchChromiumWithExtension,
} from '../e2e/support/chromium.ts';
import { choose, fill, press, says } from '../e2e/support/extension-fixture.ts';
import { type RunningServer, startServer } from '../e2e/support/server.ts';
import { compose, type Scene, STORE_SIZE } from './compose.ts';
import { type Front, startFront } from './https-front.ts';
import { savedLinks } from './links.ts';

/** In the extension's own worker, where the functions handed to `evaluate` run. */
declare const chrome: typeof browser;

const CURT = 's.example.com';
const ARTICLE = 'https://coast.example.com/stories/lighthouses-of-the-northern-coast';
const FOLDER = join(import.meta.dirname, '../../extension/packaging');
/** A popup's own width in CSS pixels; its picture has twice as many. */
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
      // A popup takes no viewport: this alone makes its picture sharp.
      '--force-device-scale-factor=2',
      '--screen-info={2560x2400 devicePixelRatio=2}',
    ],
  });
  await keep({ settings: { serverOrigin: `https://${CURT}` } });
  article = await chromium.openPage(ARTICLE);
});

afterAll(async () => {
  await chromium?.close();
  await front?.stop();
  await server?.stop();
});

test('the popup with a link that was made, also in the dark and where it belongs', async () => {
  const popup = await chromium.clickToolbarButton(article);
  await says(popup, 'Short link copied');
  const light = await shoot(popup);
  await wear(popup, 'dark');
  const dark = await shoot(popup);
  await popup.close();

  await save('popup', light);
  await saveScene('store-1-popup', {
    template: 'stage.html',
    colorScheme: 'light',
    words: {
      '.claim': 'Short links in one click',
      '.more': 'Made by a server of your own, and in your clipboard at once.',
    },
    pictures: { '.popup': { png: light, width: 1.5 * POPUP_WIDTH } },
  });

  await saveScene('store-2-popup-dark', {
    template: 'stage.html',
    colorScheme: 'dark',
    words: {
      '.claim': 'At home in the dark',
      '.more': 'In six languages, and by keyboard from end to end.',
    },
    pictures: { '.popup': { png: dark, width: 1.5 * POPUP_WIDTH } },
  });

  await article.setViewport({ ...STORE_SIZE, height: STORE_SIZE.height - HEADER_HEIGHT });
  await saveScene('store-3-in-context', {
    template: 'window.html',
    colorScheme: 'light',
    words: { '.address': ARTICLE.replace('https://', '') },
    pictures: {
      '.page': { png: await article.screenshot(), width: STORE_SIZE.width },
      '.popup': { png: light, width: POPUP_WIDTH },
    },
  });
});

test('the popup with its options open', async () => {
  const popup = await chromium.clickToolbarButton(article);
  await says(popup, 'Already shortened, link copied');
  await press(popup, 'Options');
  await popup.waitForSelector('form');
  await fill(popup, 'Custom alias', 'lights');
  await choose(popup, 'After');
  await fill(popup, 'Duration', '30');
  await fill(popup, 'Password for visitors', 'foghorn');
  await popup.$eval('.options-bar', (bar) => bar.scrollIntoView());
  const form = await shoot(popup);
  await popup.close();
  await saveScene('store-4-options', {
    template: 'stage.html',
    colorScheme: 'light',
    words: {
      '.claim': 'Add what the link needs',
      '.more': 'An ending of your choice, a password, an expiry, a wait, a title.',
    },
    pictures: { '.popup': { png: form, width: 1.2 * POPUP_WIDTH } },
  });
});

test('the list of links, and the settings', async () => {
  await keep(savedLinks(`https://${CURT}`));
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
    await save(name, await shoot(page));
    await page.close();
  }
});

async function testConnection(page: Page): Promise<void> {
  await press(page, 'Test connection');
  await page.waitForFunction(() => document.body.textContent?.includes('Connected to Curt'));
}

async function keep(items: object): Promise<void> {
  await chromium.worker.evaluate((kept) => chrome.storage.local.set(kept), items);
}

async function wear(page: Page, value: Scene['colorScheme']): Promise<void> {
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
}

/** Once fonts and pictures are there and nothing moves. */
async function shoot(page: Page): Promise<Uint8Array> {
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
