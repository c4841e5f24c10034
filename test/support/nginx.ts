import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type NetConnectOpts } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endWithParent } from '../e2e/support/servers/end-with-parent.ts';
import { needCommand } from './not-run.ts';

const START_TIMEOUT_MS = 300_000;
const TEMPORARY_FOLDERS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

export type Nginx = {
  /** As `http://localhost:41234`. */
  origin: string;
  port: number;
  /** Starts nginx with the `server` block, which must `listen` on `socketPath`. */
  start(toServerBlock: (socketPath: string) => string): Promise<void>;
  stop(): Promise<void>;
};

/**
 * A real nginx in a folder of its own. It listens on a socket file, and a forwarder on a free port: nginx
 * itself can't choose one. The port is known before nginx starts, because others need it.
 */
export async function prepareNginx(): Promise<Nginx> {
  const executable = await needCommand('nginx');
  const folder = await mkdtemp(join(tmpdir(), 'curt-nginx-'));
  const socketPath = join(folder, 'nginx.sock');
  const forwarder = createServer((client) => {
    const nginx = connect(socketPath);
    nginx.on('error', () => client.destroy());
    client.on('error', () => nginx.destroy());
    client.pipe(nginx).pipe(client);
  });
  forwarder.listen(0, '127.0.0.1');
  await once(forwarder, 'listening');
  const { port } = forwarder.address() as AddressInfo;
  let stopProcess = async () => {};

  return {
    origin: `http://localhost:${port}`,
    port,
    async start(toServerBlock) {
      const config = join(folder, 'nginx.conf');
      await writeFile(config, toConfig(folder, toServerBlock(socketPath)));
      for (const name of TEMPORARY_FOLDERS) await mkdir(join(folder, name));
      const child = spawn(executable, ['-p', folder, '-c', config, '-e', 'stderr'], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const release = endWithParent(child);
      let printed = '';
      child.stderr.setEncoding('utf8').on('data', (text) => {
        printed += text;
      });
      const exit = once(child, 'exit');
      stopProcess = async () => {
        child.kill('SIGTERM');
        await exit;
        release();
      };
      const end = Date.now() + START_TIMEOUT_MS;
      while (!(await accepts({ path: socketPath }))) {
        if (child.exitCode !== null || Date.now() > end) {
          throw new Error(`nginx does not start; it printed:\n${printed}`);
        }
        await delay(20);
      }
    },
    async stop() {
      await stopProcess();
      forwarder.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A single process, so that its end is the end of all. */
function toConfig(folder: string, serverBlock: string): string {
  return `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr warn;
events {}
http {
  access_log off;
${TEMPORARY_FOLDERS.map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}
${serverBlock}
}
`;
}

/** Whether somebody listens there. */
export function accepts(address: NetConnectOpts): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
