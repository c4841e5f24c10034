import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../e2e/support/servers/server.ts';
import { newFolder } from '../support/new-folder.ts';
import { needCommand } from '../support/not-run.ts';

const EXAMPLE = join(import.meta.dirname, '../../docs/examples/logrotate.conf');

const run = promisify(execFile);

test('logrotate with the example renames the log, and every request is in the old or the new file', async () => {
  const logrotate = await needCommand('logrotate');
  const folder = await newFolder();
  const file = join(folder, 'curt.log');
  const server = await startServer({ env: { LOG_FILE: file, LOG_REQUESTS: 'all' } });
  onTestFinished(async () => {
    await server.stop();
  });
  const example = await readFile(EXAMPLE, 'utf8');
  const config = join(folder, 'logrotate.conf');
  await writeFile(
    config,
    example
      .replaceAll('/var/log/curt/', `${folder}/`)
      .replace('systemctl reload curt', `kill -HUP ${server.pid}`),
    { mode: 0o600 },
  );
  const answered = async (path: string) => (await readFile(path, 'utf8')).match(/"answered"/g);
  const ask = () => fetch(`${server.baseUrl}/api/health`);

  await ask();
  // Lines are written a little later, and an empty file is not rotated.
  await expect.poll(() => answered(file)).toHaveLength(1);
  await run(logrotate, ['--force', '--state', join(folder, 'state'), config]);
  await expect.poll(() => readFile(file, 'utf8').catch(() => undefined)).toBeDefined();
  await ask();
  await server.stop();
  expect(await answered(`${file}.1`)).toHaveLength(1);
  expect(await answered(file)).toHaveLength(1);
});
