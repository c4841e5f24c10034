import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { endWithParent } from '../e2e/support/servers/end-with-parent.ts';
import { needCommand } from './not-run.ts';

export type Haproxy = {
  /** How many servers of a backend are up. */
  countUp(backend: string): Promise<number>;
};

/** Starts a real HAProxy until the test ends. It tells its state over a socket of its own. */
export async function startHaproxy(config: string): Promise<Haproxy> {
  const executable = await needCommand('haproxy');
  const folder = await mkdtemp(join(tmpdir(), 'curt-haproxy-'));
  const [path, socketPath] = [join(folder, 'haproxy.cfg'), join(folder, 'haproxy.sock')];
  await writeFile(path, config.replace(/^global$/m, `global\n    stats socket ${socketPath}`));
  const child = spawn(executable, ['-db', '-f', path], { stdio: ['ignore', 'ignore', 'pipe'] });
  const release = endWithParent(child);
  const exit = once(child, 'exit');
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    printed += chunk;
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
    release();
    await rm(folder, { recursive: true, force: true });
  });
  const countUp = async (backend: string) => {
    if (child.exitCode !== null) throw new Error(`HAProxy does not start:\n${printed}`);
    const socket = connect(socketPath);
    socket.write('show stat\n');
    const rows = (await text(socket)).split('\n').map((row) => row.split(','));
    const status = rows[0]?.indexOf('status') ?? -1;
    const servers = rows.filter(([group, name]) => group === backend && name !== 'BACKEND');
    return servers.filter((row) => row[status] === 'UP').length;
  };
  return { countUp };
}
