import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import {
  type Files,
  pack,
  readFiles,
  readSources,
  readUncommitted,
  writeFiles,
} from './package-files.ts';

const ROOT = join(import.meta.dirname, '../..');
const DIST = join(ROOT, 'dist');

/** `npm run zip`: builds the packages for the stores from a copy of the committed sources. */
const stage = await mkdtemp(join(tmpdir(), 'curt-packages-'));
try {
  const sources = await readSources(ROOT);
  await writeFiles(stage, sources);
  await symlink(join(ROOT, 'node_modules'), join(stage, 'node_modules'), 'junction');
  await build('chrome');
  await build('firefox');

  const { version } = JSON.parse(await readFile(join(stage, 'package.json'), 'utf8'));
  await mkdir(DIST, { recursive: true });
  await writePackage(`${version}-chrome`, await readFiles(join(stage, 'dist/chrome-mv3')));
  await writePackage(`${version}-firefox`, await readFiles(join(stage, 'dist/firefox-mv3')));
  await writePackage(`${version}-sources`, sources);
  const uncommitted = await readUncommitted(ROOT);
  if (uncommitted)
    print(`The packages contain the last commit, without these changes:\n${uncommitted}`);
} finally {
  await rm(stage, { recursive: true, force: true });
}

async function build(browser: 'chrome' | 'firefox'): Promise<void> {
  const wxt = join(ROOT, 'node_modules/wxt/bin/wxt.mjs');
  const child = spawn(process.execPath, [wxt, 'build', '--browser', browser], {
    cwd: stage,
    stdio: 'inherit',
    // Vite's output depends on NODE_ENV, which a test or a developer may have set.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`Building the extension for ${browser} failed.`);
}

async function writePackage(name: string, files: Files): Promise<void> {
  const path = join(DIST, `curt-${name}.zip`);
  await writeFile(path, pack(files));
  print(`${relative(ROOT, path)}: ${Object.keys(files).length} files\n`);
}

function print(text: string): void {
  process.stdout.write(text);
}
