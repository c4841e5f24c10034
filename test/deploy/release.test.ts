import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { unpackTar } from 'modern-tar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Files, readFiles, writeFiles } from '../../extension/packaging/package-files.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { needCommand } from '../support/not-run.ts';
import { usePackage } from './support/use-package.ts';

const ROOT = join(import.meta.dirname, '../..');
const NEVER_COMMITTED = ['.git', '.wxt', 'node_modules', 'dist', 'data', 'coverage'];
const { version } = packageJson;
/** Ignored and untracked files, each where it would do harm if it were seen. */
const STRAY: Record<string, string> = {
  '.env': 'WXT_CURT_SERVER=https://stray.example\n',
  'docs/examples/stray.conf': 'a secret',
  'extension/.env.local': 'WXT_CURT_SERVER=https://stray.example\n',
  'extension/public/debug.log': 'a secret',
  'extension/public/stray.txt': 'a secret',
  'extension/entrypoints/stray.ts': 'export default {};',
  'extension/dist/old.js': 'old',
  'data/secret': 'a secret',
  'dist/chrome-mv3/old.js': 'old',
  'dist/dashboard/old.js': 'old',
  'server/data/journal-000001.json': '{}',
};
/** Of nothing that a release may depend on. */
const ELSEWHERE = {
  TZ: 'Pacific/Chatham',
  LC_ALL: 'tr_TR.UTF-8',
  LANG: 'tr_TR.UTF-8',
  SOURCE_DATE_EPOCH: '1',
  NODE_ENV: 'test',
};

/** They ask for nothing but notices, or, in the case of the MPL, for the source, which the notices name. */
const ALLOWED_LICENSES = [
  ...['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'BlueOak-1.0.0'],
  ...['Unlicense', 'MPL-2.0'],
];

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

const run = promisify(execFile);

type Bill = { components: Component[]; dependencies: { ref: string; dependsOn: string[] }[] };
type Component = {
  name: string;
  version: string;
  purl: string;
  hashes: object[];
  licenses: { license: { id: string } }[];
};

describe('npm run release', () => {
  let folder: string;
  let repository: string;
  let released: Files;
  let chrome: Files;
  let firefox: Files;
  let server: Files;
  let bill: Bill;
  let notices: { package: string; text: string }[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'curt-release-test-'));
    await needCommand('git');
    repository = await makeRepository(join(folder, 'curt'));
    for (const [path, content] of Object.entries(STRAY)) {
      await mkdir(dirname(join(repository, path)), { recursive: true });
      await writeFile(join(repository, path), content);
    }
    await writeFile(join(repository, 'extension/pages/popup/popup.css'), '/* not committed */');
    released = await release(repository);
    chrome = unzipSync(fileNamed('-chrome.zip'));
    firefox = unzipSync(fileNamed('-firefox.zip'));
    server = await unpack(fileNamed('.tgz'));
    notices = [chrome, firefox, server].flatMap(noticesOf);
    bill = JSON.parse(textOf(released, `curt-${version}.cdx.json`));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const fileNamed = (end: string) => released[`curt-${version}${end}`] ?? new Uint8Array();

  test('writes the same bytes from its source package as from a clone, in another folder, time zone and language, with another umask', async () => {
    const other = await mkdtemp(join(folder, 'another näme '));
    await writeFiles(other, unzipSync(fileNamed('-sources.zip')));
    const again = await release(other, { umask: '077', env: ELSEWHERE });
    // Names first: they say more than bytes.
    expect(Object.keys(again)).toEqual(Object.keys(released));
    const differing = Object.keys(again).filter(
      (name) => !Buffer.from(again[name] ?? '').equals(released[name] ?? Buffer.of()),
    );
    expect(differing).toEqual([]);
  });

  test('writes packages of this version, with checksums and what the changelog says about it', async () => {
    for (const [files, manifest] of [
      [chrome, 'manifest.json'],
      [firefox, 'manifest.json'],
      [server, 'package.json'],
    ] as const) {
      expect(JSON.parse(textOf(files, manifest))).toMatchObject({ version });
    }
    const { SHA256SUMS: _, ...others } = released;
    const sums = Object.entries(others).map(([name, content]) => `${sha256(content)}  ${name}\n`);
    expect(
      textOf(released, 'SHA256SUMS')
        .split(/(?<=\n)/)
        .sort(),
    ).toEqual(sums.sort());
    const changelog = await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8');
    const notes = textOf(released, 'RELEASE_NOTES.md');
    expect(changelog.slice(changelog.indexOf(`## [${version}]`))).toContain(notes.trimEnd());
    expect(notes).not.toMatch(/^## /m);
  });

  test('includes only files that git tracks in the source package', async () => {
    const { stdout } = await run('git', ['ls-files', '-z'], { cwd: repository });
    const tracked = new Set(stdout.split('\0'));
    const packed = Object.keys(unzipSync(fileNamed('-sources.zip')));
    expect(packed).toContain('wxt.config.ts');
    expect(packed.filter((path) => !tracked.has(path))).toEqual([]);
  });

  test("leaves scripts, tools and TypeScript out of the server's package", () => {
    const manifest = JSON.parse(textOf(server, 'package.json'));
    expect(Object.keys(manifest)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(scripts|devDependencies|private)$/)]),
    );
    expect(Object.keys(server).filter((path) => /\.tsx?$/.test(path))).toEqual([]);
    const { packages } = JSON.parse(textOf(server, 'npm-shrinkwrap.json'));
    expect(packages['node_modules/vite']).toBeUndefined();
    expect(packages['node_modules/fastify']).toMatchObject({ integrity: expect.any(String) });
  });

  test('lists in the bill of materials what npm lists for the server, and what the bundles contain', async () => {
    const ofServer = await npmBill();
    expect(bill.components).toEqual(
      expect.arrayContaining(
        ofServer.components.map(({ name, version, purl, hashes, licenses }) =>
          expect.objectContaining({ name, version, purl, hashes, licenses }),
        ),
      ),
    );
    const own = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
    for (const { ref, dependsOn } of ofServer.dependencies) {
      expect(own.get(ref), ref).toEqual(expect.arrayContaining(dependsOn));
    }
    const bundled = notices.map((each) => each.package);
    expect(bundled).toContainEqual(expect.stringMatching(/^preact@/));
    const expected = new Set([...ofServer.components.map(idOf), ...bundled]);
    expect(bill.components.map(idOf).sort()).toEqual([...expected].sort());
  });

  test('ships only packages whose license allows it, and bundles them with their notices', () => {
    const refused = bill.components.filter(
      ({ licenses = [] }) =>
        licenses.length === 0 ||
        !licenses.every(({ license }) => ALLOWED_LICENSES.includes(license.id)),
    );
    expect(refused).toEqual([]);
    const withoutText = notices.filter(({ text }) => !/copyright|license/i.test(text));
    expect(withoutText.map((each) => each.package)).toEqual([]);
    const polyfill = notices.find((each) => each.package.startsWith('webextension-polyfill@'));
    expect(polyfill?.text).toContain('Mozilla Public License Version 2.0');
  });

  test('a reason is given for each dependency that ships', async () => {
    const text = await readFile(join(ROOT, 'docs/decisions/dependencies.md'), 'utf8');
    const names = [...text.matchAll(/^\| ([^|]+) \| .* \|$/gm)].flatMap(([, cell]) =>
      cell?.split(', '),
    );
    const { dependencies, devDependencies } = packageJson;
    const bundled = notices.map((each) => each.package.slice(0, each.package.lastIndexOf('@')));
    const direct = new Set([
      ...Object.keys(dependencies),
      ...bundled.filter((name) => name in devDependencies),
    ]);
    expect(names.sort()).toEqual([...direct, 'package'].sort());
  });

  test('the package installs without root and build tools, and is a server and a command', async () => {
    await usePackage(join(folder, 'installed'), fileNamed('.tgz'));
  });

  /** Of the server's package, by npm. */
  async function npmBill(): Promise<Bill> {
    const path = join(folder, 'bill');
    await writeFiles(path, server);
    const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'];
    const { stdout } = await run('npm', args, { cwd: path, maxBuffer: MAX_OUTPUT_BYTES });
    return JSON.parse(stdout);
  }
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

async function release(
  path: string,
  { umask = '022', env = {} }: { umask?: string; env?: Record<string, string> } = {},
): Promise<Files> {
  await symlink(join(ROOT, 'node_modules'), join(path, 'node_modules'));
  const { WXT_CURT_SERVER: _, ...inherited } = process.env;
  await run('sh', ['-c', `umask ${umask} && npm run release`], {
    cwd: path,
    env: { ...inherited, ...env },
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  return readFiles(join(path, 'dist/release'));
}

/** The files of npm's archive, by their path in the package. */
async function unpack(archive: Uint8Array): Promise<Files> {
  const entries = await unpackTar(new Uint8Array(gunzipSync(archive)));
  return Object.fromEntries(
    entries.map(({ header, data }) => [header.name.replace(/^package\//, ''), data ?? Buffer.of()]),
  );
}

/** The sections of the notices in a build, by package: `preact@11.2.0`. */
function noticesOf(files: Files): { package: string; text: string }[] {
  const paths = Object.keys(files).filter((path) => path.endsWith('THIRD_PARTY_NOTICES.txt'));
  expect(paths).toHaveLength(1);
  const sections = paths.flatMap((path) => textOf(files, path).split(/^## /m).slice(1));
  return sections.map((section) => {
    const [, name, version] = /^(\S+) (?:- )?(\S+) \(\S+\)\n/.exec(section) ?? [];
    const text = section.slice(section.indexOf('\n'));
    return { package: `${name}@${version}`, text };
  });
}

function idOf({ name, version }: Component): string {
  return `${name}@${version}`;
}

function textOf(files: Files, path: string): string {
  return Buffer.from(files[path] ?? '').toString();
}

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
