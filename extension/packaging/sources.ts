import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { type Files, readFiles } from './files.ts';

/** The sources of the extension, the server to test it with, and the documentation. */
const SOURCES = [
  'extension',
  'server',
  'shared',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'wxt.config.ts',
  'README.md',
  'LICENSE',
];
/** Pictures for the stores and the README, which the build does not need. */
const PICTURE = /^extension\/packaging\/pictures\//;
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

/** The uncommitted changes, in the format of `git status --short`. */
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
