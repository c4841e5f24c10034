import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../shared/client.ts';

const ROOT = join(import.meta.dirname, '../..');
const INSTALL_TIMEOUT_MS = 240_000;

const run = promisify(execFile);

test(
  'a server installed without development dependencies starts and creates a link',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'curt-production-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    for (const name of ['package.json', 'package-lock.json', 'server', 'shared', 'extension']) {
      await cp(join(ROOT, name), join(folder, name), { recursive: true });
    }
    await run('npm', ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'], {
      cwd: folder,
      shell: process.platform === 'win32',
    });
    const installed = await readdir(join(folder, 'node_modules'));
    expect(installed).toContain('fastify');
    expect(installed).not.toContain('wxt');
    expect(installed).not.toContain('preact');

    const server = spawn(process.execPath, ['server/main.ts'], {
      cwd: folder,
      env: { PORT: '0', LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(async () => {
      if (server.exitCode !== null) return;
      server.kill('SIGKILL');
      await once(server, 'exit');
    });
    const [line] = await once(createInterface({ input: server.stdout }), 'line');
    const [baseUrl = ''] = /http:\/\/\S+/.exec(line) ?? [];
    const originalUrl = 'https://example.com/page';
    const answer = await createClient({ baseUrl }).shorten({ originalUrl, password: 'secret' });
    expect(answer).toMatchObject({ ok: true, data: { originalUrl, hasPassword: true } });
  },
  INSTALL_TIMEOUT_MS,
);
