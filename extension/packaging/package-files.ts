import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync, type ZipOptions, zipSync } from 'fflate';

/** The files of a folder by path, with `/` on every system. */
export type Files = Record<string, Uint8Array>;

export async function readFiles(folder: string): Promise<Files> {
  const files: Files = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files[relative(folder, path).replaceAll(sep, '/')] = await readFile(path);
  }
  return files;
}

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** What a release is made of. .dockerignore lists the same. */
const SOURCES = [
  'docs',
  'extension',
  'release',
  'server',
  'shared',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'wxt.config.ts',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
];
/** Pictures for the stores and the README, which the build does not need. */
const PICTURE = /^(docs|extension\/packaging)\/pictures\//;
const MAX_ARCHIVE_BYTES = 64 * 1024 * 1024;

const run = promisify(execFile);

/**
 * Reads the committed sources, without ignored, untracked or changed files. Without git, as in the
 * unpacked source package, reads the folder.
 */
export async function readSources(root: string): Promise<Files> {
  const files = isRepository(root) ? await readCommit(root) : await readFolder(root);
  return Object.fromEntries(Object.entries(files).filter(([path]) => !PICTURE.test(path)));
}

/** Reads the uncommitted changes, in the format of `git status --short`. */
export async function readUncommitted(root: string): Promise<string> {
  if (!isRepository(root)) return '';
  const { stdout } = await run('git', ['status', '--short', '--', ...SOURCES], { cwd: root });
  return stdout;
}

function isRepository(root: string): boolean {
  return existsSync(join(root, '.git'));
}

async function readCommit(root: string): Promise<Files> {
  const { stdout } = await run('git', ['archive', '--format=zip', '-0', 'HEAD', '--', ...SOURCES], {
    cwd: root,
    encoding: 'buffer',
    maxBuffer: MAX_ARCHIVE_BYTES,
  });
  return unzipSync(stdout, { filter: ({ name }) => !name.endsWith('/') });
}

async function readFolder(root: string): Promise<Files> {
  const files: Files = {};
  for (const source of SOURCES) {
    const path = join(root, source);
    if ((await stat(path)).isDirectory()) {
      for (const [inside, content] of Object.entries(await readFiles(path))) {
        files[`${source}/${inside}`] = content;
      }
    } else {
      files[source] = await readFile(path);
    }
  }
  return files;
}

/**
 * Fixed metadata, so that packages are reproducible: the earliest date of the format, and `rw-r--r--`.
 * fflate writes local time, so the date is a local one.
 */
const METADATA: ZipOptions = {
  mtime: new Date(1980, 0, 1, 12),
  os: 3,
  attrs: (0o100644 << 16) >>> 0,
  level: 9,
};

/** Creates a ZIP that depends on names and contents only. */
export function pack(files: Files): Uint8Array {
  const sorted = Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return zipSync(Object.fromEntries(sorted), METADATA);
}
