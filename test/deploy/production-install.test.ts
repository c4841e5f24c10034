import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { readSettings } from '../../server/config.ts';
import { createClient } from '../../shared/client.ts';
import { newFolder } from '../support/new-folder.ts';
import { buildImage, canBuildImages } from './build-image.ts';
import { argsOf, commandOf, environmentOf, readStages } from './dockerfile.ts';
import { replayDockerfile } from './replay-dockerfile.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Of a file on disk. */
const BLOCK_BYTES = 4096;
const MEGABYTE = 1024 * 1024;
const MAX_MEGABYTES = 60;

const run = promisify(execFile);
const stages = readStages(join(ROOT, 'Dockerfile'));
const last = stages.at(-1) ?? { name: '', instructions: [] };

test('the Dockerfile installs a server without development dependencies, which starts and creates a link', async () => {
  const folder = await newFolder();
  const image = await newFolder();
  const app = canBuildImages()
    ? join(await buildImage(ROOT, image), 'opt/curt')
    : await replayDockerfile({ stages, context: ROOT, folder: image });
  expect(developmentPackages().filter((path) => existsSync(join(app, path)))).toEqual([]);
  const stated = sizeInReadme();
  expect(sizeOf(app) / MEGABYTE).toBeLessThanOrEqual(stated);
  expect(stated).toBeLessThanOrEqual(MAX_MEGABYTES);

  const before = listFiles(app);
  const [command, ...args] = commandOf(last, 'CMD');
  expect(command).toBe('node');
  const settings = { HOST: '127.0.0.1', PORT: '0', STORE_URL: `file:${folder}/data` };
  const server = spawn(process.execPath, args, {
    cwd: app,
    env: { ...environmentOf(last), ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(server, 'exit');
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await exit;
  });
  const [line] = await once(createInterface({ input: server.stdout }), 'line');
  const [baseUrl = ''] = /http:\/\/\S+/.exec(line) ?? [];
  const originalUrl = 'https://example.com/page';
  const answer = await createClient({ baseUrl }).createLink({
    body: { originalUrl, password: 'secret' },
  });
  expect(answer).toMatchObject({ ok: true, data: { originalUrl, hasPassword: true } });

  const dashboard = await fetch(`${baseUrl}/dashboard`);
  expect([dashboard.status, await dashboard.text()]).toEqual([
    200,
    expect.stringContaining('src="/dashboard/assets/'),
  ]);

  const [, ...check] = commandOf(last, 'HEALTHCHECK');
  const env = { PORT: new URL(baseUrl).port };
  await run(process.execPath, check, { env });
  server.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  await expect(run(process.execPath, check, { env })).rejects.toThrow();
  // So the file system of the container can be read-only: then, Node.js caches nothing.
  const cache = join('node_modules', '.cache');
  expect(listFiles(app).filter((path) => !path.includes(cache))).toEqual(before);
});

test.each([
  ['8080', 8080],
  ['"8080"', 8080],
  ["'8080'\r", 8080],
  [' 8080 ', 8080],
  ['', 2878],
])('the health check reads PORT as the server does: %j', async (PORT, port) => {
  const [, ...check] = commandOf(last, 'HEALTHCHECK');
  const print = 'globalThis.fetch = async (url) => console.log(url) ?? { ok: true };';
  const preload = ['--import', `data:text/javascript,${encodeURIComponent(print)}`];
  const { stdout } = await run(process.execPath, [...preload, ...check], { env: { PORT } });
  expect(stdout).toBe(`http://127.0.0.1:${port}/api/health\n`);
  expect(readSettings({ PORT }).port).toBe(port);
});

test('the image runs as a user without rights, and its data is in the folder of the volume', () => {
  expect(argsOf(last, 'USER')).toEqual(['node']);
  expect(environmentOf(last)).toMatchObject({ HOST: '0.0.0.0', STORE_URL: 'file:///data' });
  expect(argsOf(last, 'RUN').join()).toContain('--owner=node --group=node --mode=0700 /data');
});

/** Paths such as `node_modules/wxt`, of packages that only development needs. */
function developmentPackages(): string[] {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const packages = Object.entries(lock.packages as Record<string, { dev?: boolean }>);
  const paths = packages.filter(([, { dev }]) => dev).map(([path]) => path);
  expect(paths.length).toBeGreaterThan(100);
  return paths;
}

/** In megabytes. */
function sizeInReadme(): number {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  return Number(/This takes at most (\d+) MB/.exec(readme)?.[1]);
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function sizeOf(folder: string): number {
  const sizes = listFiles(folder).map((path) => statSync(path).size);
  return sizes.reduce((sum, size) => sum + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES, 0);
}
