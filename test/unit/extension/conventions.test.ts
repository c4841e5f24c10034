import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const EXTENSION = join(ROOT, 'extension');
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

describe.each(['popup', 'options', 'links', 'welcome'])('the %s page', (name) => {
  const loaded = [...loadedBy(`extension/entrypoints/${name}/main.tsx`)];

  test('does not load storage, schemas or the API client', () => {
    expect(loaded).toContain('extension/messaging/protocol.ts');
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
  expect(callers.sort()).toEqual(['background/server/probe.ts', 'entrypoints/background.ts']);
});

test('components only read the state of their page: its actions change it', async () => {
  const components = (await readdir(join(EXTENSION, 'pages'), { recursive: true })).filter((path) =>
    path.endsWith('.tsx'),
  );
  expect(components.length).toBeGreaterThan(40);
  const assigns = /\bstate\.[\w.]+\.value\s*=(?!=)/;
  expect(
    components.filter((path) => assigns.test(readFileSync(join(EXTENSION, 'pages', path), 'utf8'))),
  ).toEqual([]);
});

test('no file writes HTML, or evaluates strings as code', async () => {
  const files = (await readdir(EXTENSION, { recursive: true })).filter(
    (path) => /\.(tsx?|html)$/.test(path) && !path.startsWith('packaging/'),
  );
  expect(files.length).toBeGreaterThan(50);
  const writers = files.filter((path) =>
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|\bFunction\(/i.test(
      readFileSync(join(EXTENSION, path), 'utf8'),
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
