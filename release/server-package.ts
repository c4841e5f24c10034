import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { packTar } from 'modern-tar';
import { type Files, readFiles } from '../extension/packaging/package-files.ts';
import { serverPackages } from './lock-file.ts';
import { runTool } from './run-tool.ts';

/** What `npm pack` writes: a date that all systems can represent. */
const MTIME = new Date('1985-10-26T08:15:00Z');

/** What ships as it is: all that is no TypeScript of the server, what it reads of `shared`, and documents. */
const COPIED =
  /^(server\/(?!dashboard\/).*(?<!\.ts)|shared\/(locales\/.*\.json|tokens\.css|icon\.svg|ui\/copy-text\.js)|docs\/.*|(README|CHANGELOG)\.md|LICENSE)$/;

/** What the package takes over from the project's `package.json`: no scripts, and no tools. */
const KEPT = [
  ...['name', 'version', 'description', 'license', 'homepage', 'repository', 'bugs', 'keywords'],
  ...['type', 'bin', 'engines', 'dependencies'],
];

/**
 * Builds the server's package: JavaScript, since Node.js runs no TypeScript in `node_modules`, with the
 * dashboard, and with `npm-shrinkwrap.json`, so that everybody gets the dependencies that were tested.
 *
 * @param stage the sources, with `node_modules`
 */
export async function readServerPackage(stage: string): Promise<Files> {
  await runTool(stage, 'typescript/bin/tsc', '--project', 'release');
  await runTool(stage, 'vite/bin/vite.js', 'build', 'server/dashboard');
  const compiled = await readFiles(join(stage, 'dist/server'));
  const code = Object.entries(compiled).filter(([path]) => path.endsWith('.js'));
  const copied = Object.entries(await readFiles(stage)).filter(([path]) => COPIED.test(path));
  const dashboard = Object.entries(await readFiles(join(stage, 'dist/dashboard')));
  const project = JSON.parse(await readFile(join(stage, 'package.json'), 'utf8'));
  const manifest = Object.fromEntries(KEPT.map((key) => [key, project[key]]));
  const lock = JSON.parse(await readFile(join(stage, 'package-lock.json'), 'utf8'));
  const { name, version, license, bin, engines, dependencies } = manifest;
  const shrinkwrap = {
    ...lock,
    packages: {
      '': { name, version, license, dependencies, bin, engines },
      ...Object.fromEntries(serverPackages(lock)),
    },
  };
  return {
    ...Object.fromEntries(copied),
    ...Object.fromEntries(code),
    ...Object.fromEntries(dashboard.map(([path, content]) => [`dist/dashboard/${path}`, content])),
    'package.json': toJson(manifest),
    'npm-shrinkwrap.json': toJson(shrinkwrap),
  };
}

/** Packs as `npm pack` does, depending on names and contents only. */
export async function packServer(files: Files): Promise<Buffer> {
  const { bin } = JSON.parse(Buffer.from(files['package.json'] ?? '').toString());
  const programs = Object.values(bin);
  const entries = Object.entries(files)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, body]) => ({
      header: {
        name: `package/${path}`,
        size: body.length,
        mtime: MTIME,
        mode: programs.includes(path) ? 0o755 : 0o644,
      },
      body,
    }));
  return promisify(gzip)(await packTar(entries), { level: 9 });
}

function toJson(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
