import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { requireChannelBinding } from './channel-binding.ts';
import type { ConnectionUrl } from './connection-url.ts';
import { isFull } from './errors.ts';
import type { Timelines } from './timelines.ts';

/** To open a connection, or to wait for a free one. */
const CONNECT_MS = 3000;
/** Then a connection is given up whose database does not answer a statement: the network hangs. */
const ANSWER_MS = 6000;
const CLOSE_MS = 1000;
/** Before a connection is opened again that the database has not allowed. */
export const FULL_RETRY_MS = 100;

/** Transactions must see what those have changed that they waited for, whatever the database's default is. */
const SESSION = { default_transaction_isolation: 'read committed' };
/** Not by startup parameters, which PgBouncer refuses. */
const PREPARE = `SELECT current_setting('transaction_read_only') AS is_read_only,
  pg_is_in_recovery() AS is_standby,
  (SELECT count(set_config(key, value, false)) FROM json_each_text($1))`;

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

/** Closes a connection, but does not wait for a host that does not answer. */
export async function closeConnection(client: pg.Client): Promise<void> {
  await Promise.race([client.end(), setTimeout(CLOSE_MS, undefined, { ref: false })]);
}

/** A connection that knows the index of its host. */
export type HostClient = pg.Client & { readonly index: number };

/** Opens connections to the host that can be used, and looks for it when it fails. */
export class Hosts {
  readonly #hosts: ConnectionUrl['hosts'];
  readonly #channelBinding: ConnectionUrl['channelBinding'];
  readonly #role: 'primary' | 'standby';
  readonly #timelines: Timelines | undefined;
  #current = 0;
  /** Called if the database does not allow a connection that is not of the pool. */
  onFull: (error: unknown) => void = () => {};

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
   * Opens a connection that nobody else uses. Rejects with the error of the last host that was tried.
   *
   * @param onFailure called for each host that cannot be used
   */
  async connect(
    config: pg.ClientConfig,
    onFailure: (host: string, error: unknown) => void = () => {},
  ): Promise<pg.Client> {
    const Client = this.clientClass();
    const deadline = performance.now() + CONNECT_MS;
    for (let attempts = 1; ; attempts++) {
      const client = new Client({ ...CONNECTION, ...config });
      // A lost connection also fails the statement under way.
      client.on('error', () => {});
      try {
        await client.connect();
        await this.prepare(client);
        return client;
      } catch (error) {
        void client.end();
        if (isFull(error) && performance.now() < deadline) {
          // This server may have just closed one, or is about to.
          this.onFull(error);
          await setTimeout(FULL_RETRY_MS);
          attempts--;
          continue;
        }
        onFailure(this.#hosts[client.index]?.name ?? '', error);
        this.failed(client.index);
        if (attempts === this.#hosts.length) throw error;
      }
    }
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

/** Of the driver, whose pool passes one. */
type ConnectCallback = ((error: Error) => void) | ((error: null, client: pg.Client) => void);
