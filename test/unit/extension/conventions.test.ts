import { readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const EXTENSION = join(ROOT, 'extension');
const DASHBOARD = join(ROOT, 'server/dashboard');
const IMPORT = /^(?:import|export)\s(?!type\s)[^;]*?from\s+'([^']+)'/gms;

/** Everything that a page loads at startup: its transitive imports, without types. */
function loadedBy(entry: string, seen = new Set<string>()): Set<string> {
  for (const [, target = ''] of readFileSync(join(ROOT, entry), 'utf8').matchAll(IMPORT)) {
    const found = target.startsWith('.')
      ? relative(ROOT, join(ROOT, dirname(entry), target))
      : target;
    if (seen.has(found)) continue;
    seen.add(found);
    if (target.startsWith('.')) loadedBy(found, seen);
  }
  return seen;
}

/** What each page loads. The popup loads the second file after its first paint. */
const PAGES = {
  popup: ['entrypoints/popup/main.ts', 'pages/popup/open-popup.tsx'],
  options: ['entrypoints/options/main.tsx'],
  links: ['entrypoints/links/main.tsx'],
  statistics: ['entrypoints/statistics/main.tsx'],
  welcome: ['entrypoints/welcome/main.tsx'],
};

test('the popup loads no components before its first paint', () => {
  const loaded = [...loadedBy('extension/entrypoints/popup/main.ts')];
  expect(loaded).toContain('extension/messaging/send.ts');
  expect(loaded.filter((path) => path.endsWith('.tsx') || path.includes('preact'))).toEqual([]);
});

describe.each(Object.entries(PAGES))('the %s page', (name, entries) => {
  const loaded = entries.flatMap((entry) => [...loadedBy(`extension/${entry}`)]);

  test('does not load storage, schemas or the API client', () => {
    expect(loaded).toContain('extension/messaging/send.ts');
    expect(loaded.filter((path) => path.startsWith('extension/background/'))).toEqual([]);
    expect(loaded).not.toContain('extension/storage/items.ts');
    expect(loaded).not.toContain('shared/client.ts');
    expect(loaded).not.toContain('zod');
  });

  test('loads the QR code library only on demand', () => {
    expect(loaded).not.toContain('qrcode');
    if (name === 'popup') expect(loaded).not.toContain('shared/ui/qr/QrPanel.tsx');
  });
});

test('every page links one style sheet, which imports the others, because a build reorders several', async () => {
  const pages = (await readdir(EXTENSION, { recursive: true })).filter((path) =>
    path.endsWith('.html'),
  );
  const several = pages.filter(
    (path) => readFileSync(join(EXTENSION, path), 'utf8').split('rel="stylesheet"').length - 1 > 1,
  );
  expect(pages.length).toBeGreaterThan(3);
  expect(several).toEqual([]);
});

test('only the background uses the network', async () => {
  const files = (await readdir(EXTENSION, { recursive: true })).filter((path) =>
    /\.tsx?$/.test(path),
  );
  const callers = files.filter((path) =>
    /\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|createClient\(/.test(
      readFileSync(join(EXTENSION, path), 'utf8'),
    ),
  );
  expect(callers.sort()).toEqual(['background/account/servers.ts', 'entrypoints/background.ts']);
});

test.each([
  ['extension', join(EXTENSION, 'pages'), 15],
  ['dashboard', DASHBOARD, 5],
  ['lists', join(ROOT, 'shared/ui'), 20],
])(
  'components of the %s only read the state of their page: its actions change it',
  async (_, folder, atLeast) => {
    const components = (await readdir(folder, { recursive: true })).filter((path) =>
      path.endsWith('.tsx'),
    );
    expect(components.length).toBeGreaterThan(atLeast);
    const assigns =
      /\b(state|dashboard|session|api|router|signIn|loading|editing|undo)(\.[\w.]+)?\.value\s*=(?!=)/;
    expect(
      components.filter((path) => assigns.test(readFileSync(join(folder, path), 'utf8'))),
    ).toEqual([]);
  },
);

test('only the api folder of the dashboard uses the network', async () => {
  const files = (await readdir(DASHBOARD, { recursive: true })).filter((path) =>
    /\.tsx?$/.test(path),
  );
  const callers = files.filter((path) =>
    /\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|createClient\(/.test(
      readFileSync(join(DASHBOARD, path), 'utf8'),
    ),
  );
  expect(callers).toEqual(['api/api.ts', 'api/load-client.ts']);
});

test('the dashboard loads the client, the QR code library and the chart only on demand', () => {
  const loaded = [...loadedBy('server/dashboard/main.tsx')];
  expect(loaded).toContain('server/dashboard/app/App.tsx');
  expect(loaded).not.toContain('shared/client.ts');
  expect(loaded).not.toContain('zod');
  expect(loaded).not.toContain('qrcode');
  expect(loaded.filter((path) => path.startsWith('shared/ui/statistics/'))).toEqual([]);
});

test('no page of the dashboard waits for the client: it loads beside it', () => {
  const pages = readFileSync(join(DASHBOARD, 'app/pages.tsx'), 'utf8').matchAll(
    /import\('\.\.\/([^']+)'\)/g,
  );
  const paths = [...pages].map(([, path = '']) => `server/dashboard/${path}`);
  expect(paths.length).toBeGreaterThan(4);
  for (const path of paths) {
    const loaded = [...loadedBy(path)];
    expect(loaded, path).not.toContain('zod');
    expect(loaded, path).not.toContain('qrcode');
  }
});

test('the dashboard takes the token out of the address bar before anything else', () => {
  const [first] = readFileSync(join(DASHBOARD, 'main.tsx'), 'utf8').match(/^import .*/m) ?? [];
  expect(first).toBe("import './session/take-fragment.ts';");
});

test('no file writes HTML, or evaluates strings as code', async () => {
  const folders = [EXTENSION, DASHBOARD, join(ROOT, 'shared/ui')];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(tsx?|html)$/.test(path) && !path.startsWith('packaging/'))
      .map((path) => join(folder, path)),
  );
  expect(files.length).toBeGreaterThan(80);
  const writers = files.filter((path) =>
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|\bFunction\(/i.test(
      readFileSync(path, 'utf8'),
    ),
  );
  expect(writers).toEqual([]);
});

test('the extension imports nothing from the server', async () => {
  expect(
    [...loadedBy('extension/entrypoints/background.ts')].filter((path) =>
      path.startsWith('server/'),
    ),
  ).toEqual([]);
});
