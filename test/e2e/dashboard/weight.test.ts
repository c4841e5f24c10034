import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { DASHBOARD_FOLDER } from '../../../server/lib/built-files.ts';
import { withStaticImports } from '../support/checks/static-imports.ts';
import { useDashboard } from '../support/dashboard/dashboard-fixture.ts';

/** Everything that loads before the first content: document, scripts, style sheet, texts. */
const MAX_BYTES = 36_000;

const fixture = useDashboard();

test('the dashboard loads at most 36 kB before it shows anything', () => {
  const html = readFileSync(join(DASHBOARD_FOLDER, 'index.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\/dashboard\/(assets\/[^"]+\.(?:js|css))"/g)];
  const files = withStaticImports(
    DASHBOARD_FOLDER,
    named.map(([, path = '']) => path),
  );
  expect([...files].filter((path) => path.endsWith('.css'))).not.toEqual([]);
  const weigh = (path: string) => gzipSync(readFileSync(join(DASHBOARD_FOLDER, path))).length;
  const languages = globSync('assets/{ar,de,en,es,fr,ja}-*.js', { cwd: DASHBOARD_FOLDER });
  expect(languages).toHaveLength(6);
  // One language is loaded: here the largest.
  const texts = Math.max(...languages.map(weigh));
  const weights = ['index.html', ...files].map((path): [string, number] => [path, weigh(path)]);
  const sum = texts + weights.reduce((total, [, bytes]) => total + bytes, 0);
  expect(sum, JSON.stringify(weights)).toBeLessThanOrEqual(MAX_BYTES);
  // A very low sum means that files were not found.
  expect(sum).toBeGreaterThan(MAX_BYTES / 4);
});

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
  const loaded: string[] = [];
  page.on('response', async (response) => {
    loaded.push(await response.text().catch(() => ''));
  });
  await page.goto(`${fixture.server.baseUrl}/dashboard`);
  await page.waitForNetworkIdle();
  // The client is there, too.
  await expect.poll(() => loaded.some((content) => content.includes('/api/identity'))).toBe(true);
  for (const part of ['/api/admin', 'admin-table', 'Audit log']) {
    expect(loaded.some((content) => content.includes(part))).toBe(false);
  }
});

test('the dashboard names the packages in its bundles, with their licenses', () => {
  const notices = readFileSync(join(DASHBOARD_FOLDER, 'THIRD_PARTY_NOTICES.txt'), 'utf8');
  expect(notices).toMatch(/^## preact - [\d.]+ \(MIT\)$/m);
  expect(notices).toContain('Permission is hereby granted');
  expect(notices).not.toContain('## fastify');
});
