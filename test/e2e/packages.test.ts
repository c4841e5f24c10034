import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSources, writeFiles } from '../../extension/packaging/package-files.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { needCommand } from '../support/not-run.ts';

const ROOT = join(import.meta.dirname, '../..');
const NEVER_COMMITTED = ['.git', '.wxt', 'node_modules', 'dist', 'data', 'coverage'];
const PACKAGES = ['chrome', 'firefox', 'sources'] as const;
/** Ignored and untracked files, each where it would do harm if it were seen. */
const STRAY: Record<string, string> = {
  '.env': 'WXT_CURT_SERVER=https://stray.example\n',
  'extension/.env.local': 'WXT_CURT_SERVER=https://stray.example\n',
  'extension/public/debug.log': 'a secret',
  'extension/public/stray.txt': 'a secret',
  'extension/entrypoints/stray.ts': 'export default {};',
  'extension/dist/old.js': 'old',
  'data/secret': 'a secret',
  'dist/chrome-mv3/old.js': 'old',
  'server/data/journal-000001.jsonl': '{}',
};

const run = promisify(execFile);

type Packages = Record<(typeof PACKAGES)[number], Buffer>;

/** Each run builds the extension for two browsers. */
const ZIP_MS = 180_000;

describe('npm run zip', { timeout: ZIP_MS }, () => {
  let folder: string;
  let repository: string;
  let packages: Packages;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'curt-zip-'));
    await needCommand('git');
    repository = await makeRepository(join(folder, 'curt'));
    const unpacked = join(folder, 'unpacked');
    await writeFiles(unpacked, await readSources(repository));
    packages = await zip(unpacked);
  }, ZIP_MS);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('packs each build with its manifest at the top', () => {
    for (const browser of ['chrome', 'firefox'] as const) {
      const manifest = unzipSync(packages[browser])['manifest.json'];
      expect(JSON.parse(Buffer.from(manifest ?? '').toString())).toMatchObject({
        manifest_version: 3,
        version: packageJson.version,
      });
    }
  });

  test('names the packages that the bundles contain, with their licenses', () => {
    for (const browser of ['chrome', 'firefox'] as const) {
      const notices = unzipSync(packages[browser])['THIRD_PARTY_NOTICES.txt'];
      const text = Buffer.from(notices ?? '').toString();
      expect(text).toMatch(/^## preact [\d.]+ \(MIT\)$/m);
      expect(text).toMatch(/^## webextension-polyfill [\d.]+ \(MPL-2\.0\)$/m);
      expect(text).toContain('Mozilla Public License Version 2.0');
      expect(text).not.toContain('fastify');
    }
  });

  test('includes only files that git tracks in the source package', async () => {
    const { stdout } = await run('git', ['ls-files', '-z'], { cwd: repository });
    const tracked = new Set(stdout.split('\0'));
    const packed = Object.keys(unzipSync(packages.sources));
    expect(packed).toContain('wxt.config.ts');
    expect(packed.filter((path) => !tracked.has(path))).toEqual([]);
  });

  test('creates the same archives from git as from the unpacked source package, in another folder, at another time, with another umask and untracked files', async () => {
    const other = await mkdtemp(join(folder, 'another name '));
    await run('git', ['clone', '--quiet', repository, other]);
    await utimes(join(other, 'wxt.config.ts'), 0, 0);
    for (const [path, content] of Object.entries(STRAY)) {
      await mkdir(dirname(join(other, path)), { recursive: true });
      await writeFile(join(other, path), content);
    }
    await writeFile(join(other, 'extension/pages/popup/popup.css'), '/* not committed */');
    expectSame(await zip(other, { umask: '077', TZ: 'Pacific/Chatham', LC_ALL: 'C' }), packages);
  });
});

/** This source as a commit of its own, whether or not it is checked out by git here. */
async function makeRepository(path: string): Promise<string> {
  await cp(ROOT, path, {
    recursive: true,
    filter: (source) => dirname(source) !== ROOT || !NEVER_COMMITTED.includes(basename(source)),
  });
  const git = (...words: string[]) => run('git', words, { cwd: path });
  await git('init', '--quiet');
  await git('add', '--all');
  const author = ['-c', 'user.name=Curt', '-c', 'user.email=curt@curt.example'];
  await git(...author, '-c', 'commit.gpgsign=false', 'commit', '--quiet', '--message', 'All');
  return path;
}

async function zip(
  path: string,
  { umask = '022', ...environment }: { umask?: string; TZ?: string; LC_ALL?: string } = {},
): Promise<Packages> {
  await symlink(join(ROOT, 'node_modules'), join(path, 'node_modules'));
  const { WXT_CURT_SERVER: _, ...env } = process.env;
  await run('sh', ['-c', `umask ${umask} && npm run zip`], {
    cwd: path,
    env: { ...env, ...environment },
  });
  const read = (name: string) =>
    readFile(join(path, `dist/curt-${packageJson.version}-${name}.zip`));
  const [chrome, firefox, sources] = await Promise.all(PACKAGES.map(read));
  return { chrome, firefox, sources } as Packages;
}

function expectSame(actual: Packages, expected: Packages): void {
  for (const name of PACKAGES) {
    // Names first: they say more than bytes.
    expect(Object.keys(unzipSync(actual[name]))).toEqual(Object.keys(unzipSync(expected[name])));
    expect(actual[name].equals(expected[name]), name).toBe(true);
  }
}
