import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { endWithParent } from '../../e2e/support/servers/end-with-parent.ts';
import { freePort } from '../../e2e/support/servers/free-port.ts';
import { needCommand } from '../../support/not-run.ts';

/** PgBouncer refuses to run as root. Debian has this user. */
const USER = 'nobody';

/**
 * Starts a real PgBouncer in front of the PostgreSQL server of the tests, until the test ends.
 *
 * @param url of a database
 * @param settings such as `pool_mode = session`
 * @returns the URL of the database through PgBouncer
 */
export async function startPgbouncer(url: string, settings: string[]): Promise<string> {
  const executable = await needCommand('pgbouncer');
  const { hostname, port, username, password } = new URL(inject('postgresUrl'));
  const folder = await mkdtemp(join(tmpdir(), 'curt-pgbouncer-'));
  const pooled = new URL(url);
  pooled.port = String(await freePort());
  const config = join(folder, 'pgbouncer.ini');
  await writeFile(
    config,
    `[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${pooled.port}
unix_socket_dir =
auth_type = any
${settings.join('\n')}
`,
  );
  await chmod(folder, 0o755);
  const asUser = process.getuid?.() === 0 ? ['-u', USER] : [];
  const child = spawn(executable, [...asUser, config], { stdio: ['ignore', 'ignore', 'pipe'] });
  const release = endWithParent(child);
  const exit = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
    release();
    await rm(folder, { recursive: true, force: true });
  });
  const started = Promise.withResolvers<string>();
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    printed += text;
    if (printed.includes('process up')) started.resolve(pooled.href);
  });
  void exit.then(() => started.reject(new Error(`PgBouncer does not start:\n${printed}`)));
  return started.promise;
}
