import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { HTTPRequest, Page } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { DASHBOARD_FOLDER } from '../../../server/lib/shipped-files.ts';
import { withStaticImports } from '../support/checks/static-imports.ts';
import { openAccount, useDashboard } from '../support/dashboard/dashboard-fixture.ts';
import { intercept } from '../support/servers/outside.ts';

/** Everything that loads before the first content: document, scripts, style sheet, texts. */
const MAX_BYTES = 28_000;
/** All scripts that load before the first row of the list. */
const LIST_MAX_BYTES = 32_000;

const fixture = useDashboard();

test('the dashboard loads at most 28 kB before it shows anything', () => {
  const files = withStaticImports(DASHBOARD_FOLDER, namedInDocument());
  expect([...files].filter((path) => path.endsWith('.css'))).not.toEqual([]);
  const weights = weigh(['index.html', ...files, largestTexts()]);
  expect(sumOf(weights), JSON.stringify(weights)).toBeLessThanOrEqual(MAX_BYTES);
  // A very low sum means that files were not found.
  expect(sumOf(weights)).toBeGreaterThan(MAX_BYTES / 4);
});

test('the list loads at most 32 kB of scripts before its first row', () => {
  const weights = weigh([...scriptsOfFirstRow(), largestTexts()]);
  expect(sumOf(weights), JSON.stringify(weights)).toBeLessThanOrEqual(LIST_MAX_BYTES);
  expect(sumOf(weights)).toBeGreaterThan(LIST_MAX_BYTES / 2);
});

/** Opens a list of one link, and passes requests for scripts that its first row doesn't need to a function. */
async function openList(onOther: (request: HTTPRequest) => void): Promise<Page> {
  const { authToken } = await openAccount(fixture.server, {
    originalUrl: 'https://example.com/page',
    title: 'Without the rest',
  });
  const allowed = scriptsOfFirstRow();
  const isAllowed = (path: string) => allowed.has(path) || /^assets\/en-/.test(path);
  const page = await fixture.chromium.openPage('about:blank');
  await page.evaluateOnNewDocument((token) => {
    sessionStorage.setItem('curt-token', token);
  }, authToken);
  await intercept(page, (request) => {
    const path = new URL(request.url()).pathname.replace('/dashboard/', '');
    if (path.endsWith('.js') && !isAllowed(path)) return onOther(request);
    return request.continue();
  });
  await page.goto(`${fixture.server.baseUrl}/dashboard`, { waitUntil: 'domcontentloaded' });
  return page;
}

test('the list shows its rows without any other script', async () => {
  const refused: string[] = [];
  const page = await openList((request) => {
    refused.push(request.url());
    void request.abort();
  });
  const row = await page.waitForSelector('.row');
  expect(await row?.evaluate(({ textContent }) => textContent)).toContain('Without the rest');
  await expect.poll(() => refused).not.toEqual([]);
});

test('keys that are pressed before the code for them has loaded wait for it', async () => {
  const held: HTTPRequest[] = [];
  let isHeld = true;
  const page = await openList((request) => {
    if (isHeld) held.push(request);
    else void request.continue();
  });
  await page.waitForSelector('.row');
  await expect.poll(() => held).not.toEqual([]);
  await page.evaluate(() => {
    addEventListener('keydown', (event) => {
      document.title += event.defaultPrevented;
    });
    document.title = '';
  });
  await page.focus('.row [data-control=open]');
  await page.keyboard.press('x');
  await page.keyboard.press('/');
  // A quick search of the browser would open otherwise.
  expect(await page.title()).toBe('truetrue');
  isHeld = false;
  await Promise.all(held.map((request) => request.continue()));
  await page.waitForSelector('.link-row.selected');
  const search = await page.waitForSelector('#search:focus');
  expect(await search?.evaluate((field) => (field as HTMLInputElement).value)).toBe('');
});

/** The scripts and style sheets that the document names. */
function namedInDocument(): string[] {
  const html = readFileSync(join(DASHBOARD_FOLDER, 'index.html'), 'utf8');
  const named = html.matchAll(/(?:src|href)="\/dashboard\/(assets\/[^"]+\.(?:js|css))"/g);
  return [...named].map(([, path = '']) => path);
}

/** The scripts that must be there before the first row, apart from the texts of a language. */
function scriptsOfFirstRow(): Set<string> {
  const pages = globSync('assets/LinksPage-*.js', { cwd: DASHBOARD_FOLDER });
  expect(pages).toHaveLength(1);
  const named = namedInDocument().filter((path) => path.endsWith('.js'));
  return withStaticImports(DASHBOARD_FOLDER, [...named, ...pages]);
}

/** One language is loaded. */
function largestTexts(): string {
  const languages = globSync('assets/{ar,de,en,es,fr,ja}-*.js', { cwd: DASHBOARD_FOLDER });
  expect(languages).toHaveLength(6);
  const [[largest] = ['']] = weigh(languages).toSorted(([, one], [, other]) => other - one);
  return largest;
}

function weigh(paths: string[]): [path: string, bytes: number][] {
  return paths.map((path) => [path, gzipSync(readFileSync(join(DASHBOARD_FOLDER, path))).length]);
}

function sumOf(weights: [path: string, bytes: number][]): number {
  return weights.reduce((total, [, bytes]) => total + bytes, 0);
}

test('the texts of one language are loaded, as a chunk of its own', async () => {
  const page = await fixture.chromium.openPage('about:blank');
  await page.evaluateOnNewDocument(() => {
    Object.defineProperty(navigator, 'languages', { get: () => ['xx', 'fr-CA', 'de'] });
  });
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
  await page.goto(`${fixture.server.baseUrl}/dashboard`);
  await page.waitForSelector('html[lang="fr"]');
  const languages = scripts.filter((path) => /\/assets\/(ar|de|en|es|fr|ja)-/.test(path));
  expect(languages).toEqual([expect.stringMatching(/\/fr-/)]);
});

test('nothing of the administrator’s pages is loaded before they are opened', async () => {
  const page = await fixture.chromium.openPage('about:blank');
  const responses: Promise<string>[] = [];
  page.on('response', (response) => responses.push(response.text().catch(() => '')));
  const loaded = async (part: string) =>
    (await Promise.all(responses)).some((content) => content.includes(part));
  await page.goto(`${fixture.server.baseUrl}/dashboard`);
  await page.waitForNetworkIdle();
  // The client is there, too.
  await expect.poll(() => loaded('GET /identity')).toBe(true);
  const parts = ['GET /admin/', 'admin-table', 'Audit log'];
  for (const part of parts) expect(await loaded(part), part).toBe(false);
  await page.goto(`${fixture.server.baseUrl}/dashboard/admin/audit`);
  for (const part of parts) await expect.poll(() => loaded(part), { message: part }).toBe(true);
});

test('the dashboard names the packages in its bundles, with their licenses', () => {
  const notices = readFileSync(join(DASHBOARD_FOLDER, 'THIRD_PARTY_NOTICES.txt'), 'utf8');
  expect(notices).toMatch(/^## preact - [\d.]+ \(MIT\)$/m);
  expect(notices).toContain('Permission is hereby granted');
  expect(notices).not.toContain('## fastify');
});
