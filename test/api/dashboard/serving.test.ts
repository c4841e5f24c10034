import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readBuiltFiles } from '../../../server/lib/shipped-files.ts';
import { type AtEnd, newFolder } from '../../support/new-folder.ts';
import { startOnce, startService } from '../support.ts';

const HTML = '<!doctype html><head><title>Curt</title></head>';
const MANIFEST = { id: '/dashboard', name: 'Curt', short_name: 'Curt', theme_color: '#0b6b57' };
const SCRIPT = 'console.log("dashboard");';

async function builtDashboard(atEnd?: AtEnd) {
  const folder = await newFolder(atEnd);
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), HTML);
  await writeFile(join(folder, 'manifest.webmanifest'), JSON.stringify(MANIFEST));
  await writeFile(join(folder, 'assets/main-abc123.js'), SCRIPT);
  await writeFile(join(folder, 'assets/main-abc123.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(folder, 'assets/main-abc123.js.gz'), gzipSync(SCRIPT));
  return readBuiltFiles(folder);
}

async function startWithDashboard(env: Record<string, string> = {}, atEnd?: AtEnd) {
  return startService({ env, dashboard: await builtDashboard(atEnd) }, atEnd);
}

const withDashboard = startOnce((atEnd) => startWithDashboard({}, atEnd));

test.each([
  '/dashboard',
  '/dashboard/',
  '/dashboard/account',
  '/dashboard/share?title=A&url=https://example.com',
  '/dashboard/links/some-alias/statistics',
])('GET %s answers the dashboard’s HTML document', async (url) => {
  const { app } = withDashboard();
  const response = await app.inject({ url });
  expect(response.statusCode).toBe(200);
  expect(response.body).toBe(HTML);
  expect(response.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  expect(response.headers['set-cookie']).toBeUndefined();
});

test('says in the visitor’s language that the dashboard needs JavaScript', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, 'index.html'), `${HTML}<noscript></noscript>`);
  const { app } = await startService({ dashboard: await readBuiltFiles(folder) });
  const get = (language: string) =>
    app.inject({ url: '/dashboard', headers: { 'accept-language': language } });
  const [german, arabic] = [await get('de-AT'), await get('ar')];
  expect(german.body).toContain(
    '<noscript><p lang="de" dir="ltr"><a href="/">Das Dashboard braucht JavaScript.',
  );
  expect(arabic.body).toContain('lang="ar" dir="rtl"');
  expect(german.headers.vary).toBe('Accept-Encoding, Accept-Language');
  expect(german.headers.etag).not.toBe(arabic.headers.etag);
});

test('with BRAND_NAME, the document has the name, in which nothing is HTML', async () => {
  const { app } = await startWithDashboard({ BRAND_NAME: 'A & <b> $&' });
  const { body } = await app.inject({ url: '/dashboard' });
  expect(body).toContain('<title>A &#38; &#60;b> $&#38;</title>');
});

test('with BRAND_COLOR, the document loads the style sheet with the color, after its own', async () => {
  const { app } = await startWithDashboard({ BRAND_COLOR: '#0b6b57,#6fd6b8' });
  const { body } = await app.inject({ url: '/dashboard/account' });
  const [, stylesUrl = ''] =
    /<link rel="stylesheet" href="(\/assets\/brand\.css[^"]*)">\s*<\/head>/.exec(body) ?? [];
  const styles = await app.inject({ url: stylesUrl });
  expect(styles.headers['content-type']).toBe('text/css; charset=utf-8');
  expect(styles.body).toContain('--color-accent: #6fd6b8;');
});

test.each([
  [{}, MANIFEST],
  [
    { BRAND_NAME: 'Acme', BRAND_COLOR: '#7a2f8f' },
    { ...MANIFEST, name: 'Acme', short_name: 'Acme', theme_color: '#7a2f8f' },
  ],
])('with %j, the manifest of the app has the name and color', async (env, manifest) => {
  const { app } = await startWithDashboard(env);
  const response = await app.inject({ url: '/dashboard/manifest.webmanifest' });
  expect(response.headers['content-type']).toBe('application/manifest+json');
  expect(response.json()).toEqual(manifest);
});

test('the content security policy allows no inline code and no other origin', async () => {
  const { app } = withDashboard();
  const { headers } = await app.inject({ url: '/dashboard' });
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  );
});

test('a file whose name has a hash can be cached forever', async () => {
  const { app } = withDashboard();
  const response = await app.inject({ url: '/dashboard/assets/main-abc123.js' });
  expect(response.body).toBe(SCRIPT);
  expect(response.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
  });
});

test.each([
  ['br', 'gzip, deflate, br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['gzip', 'br;q=0, gzip', gunzipSync],
])('a file is sent as %s to a client that accepts %s', async (encoding, accepted, decompress) => {
  const { app } = withDashboard();
  const url = '/dashboard/assets/main-abc123.js';
  const response = await app.inject({ url, headers: { 'accept-encoding': accepted } });
  expect(response.headers['content-encoding']).toBe(encoding);
  expect(decompress(response.rawPayload).toString()).toBe(SCRIPT);
});

test('a client that has the current document gets 304', async () => {
  const { app } = withDashboard();
  const { headers } = await app.inject({ url: '/dashboard' });
  const again = { 'if-none-match': String(headers.etag) };
  expect((await app.inject({ url: '/dashboard', headers: again })).statusCode).toBe(304);
});

test('a file that was never built is a 404, not the document', async () => {
  const { app } = withDashboard();
  const headers = { accept: 'application/json' };
  const response = await app.inject({ url: '/dashboard/assets/gone-123.js', headers });
  expect(response.json()).toMatchObject({ code: 'not_found' });
});

test('without a build, /dashboard says what to run, and the rest of the server works', async () => {
  const { app } = await startService({ dashboard: undefined });
  for (const url of ['/dashboard', '/dashboard/account']) {
    const response = await app.inject({ url });
    expect(response.statusCode).toBe(404);
    expect(response.body).toContain('npm run build');
  }
  expect((await app.inject({ url: '/api/health' })).statusCode).toBe(200);
});

test('an empty folder is no build', async () => {
  const folder = await newFolder();
  expect(readBuiltFiles(folder)).toBeUndefined();
  expect(readBuiltFiles(join(folder, 'missing'))).toBeUndefined();
});

test('CUSTOM_GTM=unsandboxed turns the dashboard off', async () => {
  const { app } = await startWithDashboard({ CUSTOM_GTM: 'unsandboxed' });
  for (const url of ['/dashboard', '/dashboard/account', '/dashboard/assets/main-abc123.js']) {
    const response = await app.inject({ url });
    expect(response.statusCode).toBe(404);
    expect(response.body).toContain('CUSTOM_GTM=unsandboxed');
    expect(response.body).not.toContain(SCRIPT);
  }
});

test('the page in place of the dashboard has a title, in the visitor’s language', async () => {
  const { app } = await startService();
  const english = await app.inject('/dashboard');
  expect(english.body).toContain('<h1>There is no dashboard here</h1>');
  expect(english.body).not.toContain('undefined');
  const headers = { 'accept-language': 'de' };
  const german = await app.inject({ url: '/dashboard', headers });
  expect(german.body).toContain('<h1>Hier gibt es kein Dashboard</h1>');
});
