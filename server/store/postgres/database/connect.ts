import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { type ClientBase, DatabaseError } from 'pg';
import { StoreOpenError } from '../../store.ts';
import type { ConnectionUrl } from './connection-url.ts';
import { isFull, reasonOf } from './errors.ts';
import { CONNECT_MS, CONNECTION, FULL_RETRY_MS, Hosts } from './hosts.ts';

/** In one, a pooler that others use as well may give what a session would have, by chance. */
const ROUNDS = 4;

/**
 * Opens a connection to the host that accepts writes, for tasks that take longer than the statements of a
 * server. The caller must end it.
 *
 * @throws StoreOpenError if no host can be reached, or if the database refuses the user, cannot hold every
 * text or is behind a pooler that cannot be used. No message contains the password.
 */
export async function connect(url: ConnectionUrl): Promise<pg.Client> {
  const client = await connectToPrimary(url, { query_timeout: 0 });
  try {
    await assertUnicode(client);
    await assertSession(client, url);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** Connects as `connect` does until the callback is done. */
export async function withConnection<T>(
  url: ConnectionUrl,
  run: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connect(url);
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

async function connectToPrimary(url: ConnectionUrl, config: pg.ClientConfig): Promise<pg.Client> {
  const hosts = new Hosts(url);
  const Client = hosts.clientClass();
  const deadline = performance.now() + CONNECT_MS;
  const failures: string[] = [];
  let advice = '';
  while (failures.length < hosts.count) {
    const client = new Client({ ...CONNECTION, ...config });
    // A lost connection also fails the statement under way.
    client.on('error', () => {});
    try {
      await client.connect();
      await hosts.prepare(client);
      return client;
    } catch (error) {
      void client.end();
      if (isFull(error) && performance.now() < deadline) {
        // This server may have just closed one, or is about to.
        await setTimeout(FULL_RETRY_MS);
        continue;
      }
      failures.push(`${url.hosts[client.index]?.name}: ${reasonOf(error)}`);
      advice = adviceFor(error);
      hosts.failed(client.index);
    }
  }
  throw new StoreOpenError(
    `The database in STORE_URL cannot be used. ${failures.join('; ')}. ${advice || 'docs/postgresql.md says how to set it up.'}`,
  );
}

/** Titles and targets may have characters of any script. */
async function assertUnicode(client: pg.Client): Promise<void> {
  const { rows } = await client.query('SHOW server_encoding');
  const encoding = rows[0]?.server_encoding;
  if (encoding === 'UTF8') return;
  throw new StoreOpenError(
    `The database in STORE_URL has the encoding ${encoding}. Create one with UTF8: createdb --encoding=UTF8 --template=template0 curt`,
  );
}

/** Prepared statements and settings of a session need a connection of the database for each of ours. */
async function assertSession(client: pg.Client, url: ConnectionUrl): Promise<void> {
  const process = await readProcess(client);
  // A pooler answers for the database when a connection is opened, and makes up a number.
  if ('processID' in client && client.processID === process) return;
  const other = await connectToPrimary(url, {});
  let isShared = false;
  try {
    // Pooled by transaction, one connection has another process the next time, or two have the same one.
    for (let round = 0; round < ROUNDS; round++) {
      const processes = [await readProcess(client), await readProcess(client)];
      isShared ||= processes.some((each) => each !== process);
      isShared ||= (await readProcess(other)) === process;
    }
  } finally {
    await other.end();
  }
  if (!isShared) return;
  throw new StoreOpenError(
    'The database in STORE_URL is behind a pooler that shares its connections among transactions. Curt needs one that keeps them for a session: in PgBouncer, set "pool_mode = session" for this database. Or connect directly.',
  );
}

/** The number of the database's process that serves the connection. */
async function readProcess(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query('SELECT pg_backend_pid() AS process');
  return rows[0]?.process;
}

const HOST = 'Check the host in the URL.';
const AUTHORITY =
  'Name the certificate of your provider’s authority with sslrootcert, or encrypt without this check with sslmode=no-verify.';

/** By the code of an error of Node.js or PostgreSQL. */
const ADVICE = new Map([
  ['ENOTFOUND', HOST],
  ['EAI_AGAIN', HOST],
  ['ECONNREFUSED', 'Check host and port, and whether PostgreSQL listens there.'],
  ['ENETUNREACH', 'Check the network: the host may only have an IPv6 address.'],
  ['EHOSTUNREACH', 'Check the network and the host.'],
  ['ENOENT', 'Check the folder of the socket.'],
  ['SELF_SIGNED_CERT_IN_CHAIN', AUTHORITY],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', AUTHORITY],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', AUTHORITY],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', AUTHORITY],
  ['CERT_HAS_EXPIRED', 'Renew the certificate of the database.'],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'Write the host as the certificate has it, or leave this check out with sslmode=verify-ca and sslrootcert.',
  ],
  [
    '28P01',
    'Check user name and password: special characters are percent-encoded, and no brackets of a template are left.',
  ],
  ['08P01', 'A pooler may not take the parameter options: remove it, or connect directly.'],
  [
    '28000',
    'Allow this role and address in pg_hba.conf. If it demands encryption, add sslmode=verify-full.',
  ],
  ['3D000', 'Create the database with createdb, or correct its name.'],
  ['53300', 'Allow more connections, or end those that are not needed.'],
]);

/** Returns what an operator can do about a connection that could not be opened. An empty text if that is not known. */
function adviceFor(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof DatabaseError) && !(first instanceof Error)) return '';
  return ADVICE.get((first as { code?: string }).code ?? '') ?? '';
}

/** Shared by servers that start. A copy needs it alone, and holds it until it is done. A number that other programs hardly use. */
const USE_LOCK = 0x63_6f_70_79;

/** Takes the lock of those who use the database until the connection ends, unless another connection is in the way. */
export async function tryLock(client: ClientBase, { isShared = false } = {}): Promise<boolean> {
  const suffix = isShared ? '_shared' : '';
  const { rows } = await client.query<{ is_locked: boolean }>(
    `SELECT pg_try_advisory_lock${suffix}($1) AS is_locked`,
    [USE_LOCK],
  );
  return rows[0]?.is_locked ?? false;
}
