import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import {
  type Files,
  pack,
  readFiles,
  readSources,
  readUncommitted,
  writeFiles,
} from '../extension/packaging/package-files.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { notesOf } from './release-notes.ts';
import { runTool } from './run-tool.ts';
import { packServer, readServerPackage } from './server-package.ts';

const ROOT = join(import.meta.dirname, '..');
const RELEASE = join(ROOT, 'dist/release');

/**
 * `npm run release`: makes everything that is published, from a copy of the committed sources. With `--server`, only
 * the server's package, which the Dockerfile installs.
 */
async function release(): Promise<void> {
  const stage = await mkdtemp(join(tmpdir(), 'curt-release-'));
  try {
    const sources = await readSources(ROOT);
    await writeFiles(stage, sources);
    await symlink(join(ROOT, 'node_modules'), join(stage, 'node_modules'), 'junction');
    await runTool(stage, 'wxt/bin/wxt.mjs', 'prepare');
    const files = process.argv.includes('--server')
      ? await makeServer(stage)
      : await makeEverything(stage, sources);
    await rm(RELEASE, { recursive: true, force: true });
    await mkdir(RELEASE, { recursive: true });
    await writeFiles(RELEASE, files);
    for (const name of Object.keys(files)) print(`${relative(ROOT, join(RELEASE, name))}\n`);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
  const uncommitted = await readUncommitted(ROOT);
  if (uncommitted) print(`This is the last commit, without these changes:\n${uncommitted}`);
}

async function makeServer(stage: string): Promise<Files> {
  const { version } = await readManifest(stage);
  return { [`curt-${version}.tgz`]: await packServer(await readServerPackage(stage)) };
}

async function makeEverything(stage: string, sources: Files): Promise<Files> {
  const { version } = await readManifest(stage);
  const notes = notesOf(version, await readFile(join(stage, 'CHANGELOG.md'), 'utf8'));
  const server = await readServerPackage(stage);
  const chrome = await buildExtension(stage, 'chrome');
  const firefox = await buildExtension(stage, 'firefox');
  const lock = JSON.parse(await readFile(join(stage, 'package-lock.json'), 'utf8'));
  const files: Files = {
    [`curt-${version}.tgz`]: await packServer(server),
    [`curt-${version}-chrome.zip`]: pack(chrome),
    [`curt-${version}-firefox.zip`]: pack(firefox),
    [`curt-${version}-sources.zip`]: pack(sources),
    [`curt-${version}.cdx.json`]: billOfMaterials(lock, [server, chrome, firefox]),
    'RELEASE_NOTES.md': Buffer.from(notes),
  };
  return { ...files, SHA256SUMS: checksums(files) };
}

async function readManifest(stage: string): Promise<{ version: string }> {
  return JSON.parse(await readFile(join(stage, 'package.json'), 'utf8'));
}

async function buildExtension(stage: string, browser: 'chrome' | 'firefox'): Promise<Files> {
  await runTool(stage, 'wxt/bin/wxt.mjs', 'build', '--browser', browser);
  return readFiles(join(stage, `dist/${browser}-mv3`));
}

/** In the format of `sha256sum`, for `sha256sum --check`. */
function checksums(files: Files): Buffer {
  const lines = Object.entries(files).map(
    ([name, content]) => `${createHash('sha256').update(content).digest('hex')}  ${name}\n`,
  );
  return Buffer.from(lines.join(''));
}

function print(text: string): void {
  process.stdout.write(text);
}

await release();
