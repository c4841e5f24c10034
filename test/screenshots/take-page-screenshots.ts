import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Viewport } from 'puppeteer-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type Chromium, launchChromium } from '../e2e/support/browser/chromium.ts';
import { type FilledServer, POPULAR, startFilledServer, VISITED } from './filled-server.ts';

const HOST = 's.example.com';
const SHORT = `http://${HOST}`;
const TARGET = 'https://coast.example.com/stories/lighthouses-of-the-northern-coast';
/** For review only, so not in the repository. */
const FOLDER = join(import.meta.dirname, '../../dist/screenshots');
const README_FOLDER = join(import.meta.dirname, '../../docs/pictures');
const README_SHOTS = ['dashboard-links', 'dashboard-statistics'];
const DESKTOP = { width: 1280, height: 800, deviceScaleFactor: 1 };
const PHONE = { width: 360, height: 740, deviceScaleFactor: 2 };

const LOOKS = [
  { look: 'light', colorScheme: 'light', viewport: DESKTOP },
  { look: 'dark', colorScheme: 'dark', viewport: DESKTOP },
  { look: 'phone', colorScheme: 'light', viewport: PHONE },
  { look: 'phone-dark', colorScheme: 'dark', viewport: PHONE },
] as const;

type Shot = {
  name: string;
  path: string;
  isSignedIn?: boolean;
  /** Appears when the page is complete. */
  selector: string;
  prepare?: (page: Page) => Promise<unknown>;
};

const MAP = '.world-map';
const DASHBOARD: Shot[] = [
  { name: 'dashboard-sign-in', path: '/dashboard', selector: 'input[name="token"]' },
  ...[
    { name: 'links', path: '', selector: '.row:nth-child(5)' },
    {
      name: 'link-editor',
      path: '',
      selector: '.row:nth-child(5)',
      prepare: async (page: Page) => {
        await page.focus('.row:nth-child(2) [data-control="open"]');
        await page.keyboard.press('e');
        await page.waitForSelector('.link-editor-dialog[open]');
      },
    },
    {
      name: 'link-statistics',
      path: `/links/${POPULAR}/statistics`,
      selector: MAP,
    },
    { name: 'statistics', path: '/statistics', selector: MAP },
    { name: 'account', path: '/account', selector: '.list-row' },
    { name: 'create', path: '/create', selector: 'input[name="originalUrl"]' },
    {
      name: 'create-options',
      path: '/create',
      selector: 'input[name="originalUrl"]',
      prepare: async (page: Page) => {
        await page.type('input[name="originalUrl"]', TARGET);
        await page.type('input[name="customAlias"]', 'lighthouses');
      },
    },
  ].map((shot) => ({
    ...shot,
    name: `dashboard-${shot.name}`,
    path: `/dashboard${shot.path}`,
    isSignedIn: true,
  })),
];

const VISITORS: Shot[] = [
  { name: 'home', path: '/', selector: 'h1' },
  {
    name: 'new-token',
    path: '/',
    selector: 'h1',
    prepare: async (page: Page) => {
      await page.type('#original-url', TARGET);
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
      await page.waitForSelector('#token');
    },
  },
  { name: 'password', path: `/${VISITED.password}`, selector: 'h1' },
  { name: 'preview', path: `/${VISITED.preview}`, selector: 'h1' },
  { name: 'inspect', path: `/${POPULAR}+`, selector: 'h1' },
  { name: 'error-404', path: '/lighthuoses', selector: 'h1' },
  { name: 'error-410', path: `/${VISITED.gone}`, selector: 'h1' },
  { name: 'error-451', path: `/${VISITED.blocked}`, selector: 'h1' },
].map((shot) => ({ ...shot, name: `visitor-${shot.name}` }));

let chromium: Chromium;
let server: FilledServer;

beforeAll(async () => {
  server = await startFilledServer({ BASE_URL: SHORT, RATE_LIMIT_PER_MINUTE: '60' });
  const { port } = new URL(server.baseUrl);
  chromium = await launchChromium({
    switches: [
      `--host-resolver-rules=MAP ${HOST}:80 127.0.0.1:${port}, MAP * ~NOTFOUND`,
      // As with HTTPS, pages may copy.
      `--unsafely-treat-insecure-origin-as-secure=${SHORT}`,
    ],
  });
  await mkdir(FOLDER, { recursive: true });
  await mkdir(README_FOLDER, { recursive: true });
});

afterAll(async () => {
  await chromium?.close();
  await server?.stop();
});

describe.each(LOOKS)('$look', ({ look, colorScheme, viewport }) => {
  test.each([...DASHBOARD, ...VISITORS])('$name', async (shot) => {
    const page = await chromium.openPage('about:blank', { colorScheme });
    try {
      await page.setViewport(viewport);
      if (shot.isSignedIn) await signIn(page);
      await page.goto(SHORT + shot.path);
      await page.waitForSelector(shot.selector);
      await shot.prepare?.(page);
      await settle(page);
      if (shot.isSignedIn) await makeHigh(page, viewport);
      const png = await page.screenshot({ fullPage: true });
      await writeFile(join(FOLDER, `${shot.name}-${look}.png`), png);
      if (look === 'light' && README_SHOTS.includes(shot.name)) {
        await writeFile(join(README_FOLDER, `${shot.name}.png`), png);
      }
    } finally {
      await page.close();
    }
  });
});

async function signIn(page: Page): Promise<void> {
  await page.evaluateOnNewDocument((token) => {
    if (location.protocol === 'http:') sessionStorage.setItem('curt-token', token);
  }, server.token);
}

/** The list of links renders only what fits into the viewport. */
async function makeHigh(page: Page, viewport: Viewport): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewport({ ...viewport, height });
  await settle(page);
}

/** Waits until everything has loaded and nothing moves. */
async function settle(page: Page): Promise<void> {
  await page.waitForNetworkIdle();
  await page.evaluate(async () => {
    (document.activeElement as HTMLElement | null)?.blur();
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 300)));
  });
}
