import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import pg, { type ClientBase, DatabaseError } from 'pg';
import type { ConnectionUrl } from './connection-url.ts';
import { isFull } from './errors.ts';

/** To open a connection, or to wait for a free one. */
export const CONNECT_MS = 3000;
/** Then a connection is given up whose database does not answer a statement: the network hangs. */
const ANSWER_MS = 6000;
/** Before a connection is opened again that the database has not allowed. */
export const FULL_RETRY_MS = 100;

/** Of every session, whatever the defaults of the database and of the role are. */
const SESSION = {
  // Transactions must see what those have changed that they waited for.
  default_transaction_isolation: 'read committed',
  // Other limits than Curt's own would end idle connections, and copies that take long.
  statement_timeout: '0',
  lock_timeout: '0',
  transaction_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
};
/**
 * Prepares a session by a statement, because PgBouncer refuses startup parameters. Leaves out settings that an older
 * PostgreSQL does not have.
 */
const PREPARE = `SELECT current_setting('transaction_read_only') AS is_read_only,
  pg_is_in_recovery() AS is_standby,
  (SELECT count(set_config(key, value, false)) FROM json_each_text($1)
    WHERE current_setting(key, true) IS NOT NULL)`;

type GetTypeParser = typeof pg.types.getTypeParser;

/** Reads `bigint` as a number: times, counts and hits stay below 2^53. Other types are read as usual. */
const NUMBER_TYPES = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as GetTypeParser,
};

/** What all connections have in common. */
export const CONNECTION = {
  application_name: 'curt',
  types: NUMBER_TYPES,
  connectionTimeoutMillis: CONNECT_MS,
  query_timeout: ANSWER_MS,
  keepAlive: true,
};

/** A connection that knows the index of its host. */
export type HostClient = pg.Client & { readonly index: number };

/** The hosts of a database: connections lead to the one that can be used, and it is looked for when that fails. */
export class Hosts {
  readonly #hosts: ConnectionUrl['hosts'];
  readonly #channelBinding: ConnectionUrl['channelBinding'];
  readonly #role: 'primary' | 'standby';
  readonly #timelines: Timelines | undefined;
  #current = 0;

  /** @param timelines checked with each new connection to a primary */
  constructor(
    { hosts, channelBinding }: Pick<ConnectionUrl, 'hosts' | 'channelBinding'>,
    role: 'primary' | 'standby' = 'primary',
    timelines?: Timelines,
  ) {
    this.#hosts = hosts;
    this.#channelBinding = channelBinding;
    this.#role = role;
    this.#timelines = timelines;
  }

  get count(): number {
    return this.#hosts.length;
  }

  /** The index of the host that connections are opened to. */
  get current(): number {
    return this.#current;
  }

  /** The next connection is opened to the next host, unless that was changed since. */
  failed(index: number): void {
    if (index === this.#current) this.#current = (index + 1) % this.#hosts.length;
  }

  /**
   * Prepares a new connection. Rejects for a host that is no standby, or if a primary is needed, for one
   * that refuses changes; then another host is next.
   *
   * @param settings of PostgreSQL, for the session
   */
  async prepare(client: HostClient, settings: Record<string, string> = {}): Promise<void> {
    type State = { is_read_only: string; is_standby: boolean };
    const { rows } = await client.query<State>(PREPARE, [{ ...SESSION, ...settings }]);
    const isStandby = rows[0]?.is_standby;
    if (this.#role === 'standby' ? isStandby : rows[0]?.is_read_only === 'off') {
      await this.#timelines?.check(client);
      return;
    }
    this.failed(client.index);
    throw new Error(this.#role === 'standby' ? 'it is not a standby' : 'it is read-only');
  }

  /** The class of clients that connect to the current host, for a pool. */
  clientClass(): new (config?: pg.ClientConfig) => HostClient {
    const hosts = this;
    return class extends pg.Client {
      readonly index: number;

      constructor(config: pg.ClientConfig = {}) {
        const index = hosts.#current;
        // Statements are sent without waiting for the answers to earlier ones.
        super({ ...config, ...hosts.#hosts[index]?.config(), pipeline: true });
        this.index = index;
        if (hosts.#channelBinding === 'require') requireChannelBinding(this);
      }

      override connect(): Promise<pg.Client>;
      override connect(callback: ConnectCallback): void;
      override connect(callback?: ConnectCallback): Promise<pg.Client> | undefined {
        const connected = super.connect();
        // Another host would not allow more.
        connected.catch((error) => isFull(error) || hosts.failed(this.index));
        if (!callback) return connected;
        const call = callback as (error: Error | null, client?: pg.Client) => void;
        connected.then((client) => call(null, client), call);
        return undefined;
      }
    };
  }
}

/** The callback that the driver's pool passes. */
type ConnectCallback = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/** The part of the driver's connection that sees each message of the server first. */
type Connection = EventEmitter & { stream: Duplex };

const MECHANISM = 'SCRAM-SHA-256-PLUS';

/**
 * Makes a client give up a server that does not prove that it knows the password and that nobody is in
 * between: before anything that depends on the password is sent. As `channel_binding=require` of libpq.
 */
function requireChannelBinding(client: pg.Client): void {
  const { connection } = client as unknown as { connection: Connection };
  let isBound = false;
  const giveUp = () =>
    connection.stream.destroy(
      new Error('it does not offer channel binding, which channel_binding=require demands'),
    );
  connection.on('authenticationSASL', ({ mechanisms }: { mechanisms: string[] }) => {
    if (!mechanisms.includes(MECHANISM)) giveUp();
  });
  connection.on('authenticationSASLFinal', () => {
    isBound = true;
  });
  connection.on('authenticationCleartextPassword', giveUp);
  connection.on('authenticationMD5Password', giveUp);
  connection.on('authenticationOk', () => {
    if (!isBound) giveUp();
  });
}

/** The timeline is a number that grows when a standby is promoted. */
const READ_TIMELINE = `SELECT system_identifier::text AS system,
    ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer AS timeline
  FROM pg_control_system()`;

/**
 * SQLSTATE codes of databases that only resemble PostgreSQL, or of a role that may not know this: the
 * feature is not supported, no permission, no such function.
 */
const UNKNOWN = ['0A000', '42501', '42883'];

type Timeline = { system: string; timeline: number };

/** Notices a primary that others have followed already: it does not have what was changed since then. */
export class Timelines {
  readonly #onError: (error: Error) => void;
  #newest: Timeline | undefined;
  #last: Timeline | undefined;

  /** @param onError called each time that connections lead to such a primary instead of another one */
  constructor(onError: (error: Error) => void) {
    this.#onError = onError;
  }

  /** @param client a connection to a primary */
  async check(client: ClientBase): Promise<void> {
    const [now] = await client.query<Timeline>(READ_TIMELINE).then(
      ({ rows }) => rows,
      (error) => {
        if (error instanceof DatabaseError && UNKNOWN.includes(error.code ?? '')) return [];
        throw error;
      },
    );
    if (!now) return;
    const [last, newest] = [this.#last, this.#newest];
    this.#last = now;
    if (now.system !== newest?.system || now.timeline >= newest.timeline) this.#newest = now;
    else if (now.timeline !== last?.timeline) this.#onError(splitBrain(now, newest));
  }
}

function splitBrain(now: Timeline, newest: Timeline): Error {
  return new Error(
    `The database is on timeline ${now.timeline} and accepts changes, but was on timeline ${newest.timeline} before: there are or were two primaries, each with changes that the other does not have. Stop the one that is wrong. docs/postgresql.md, "Failover", says how to prevent this.`,
  );
}
