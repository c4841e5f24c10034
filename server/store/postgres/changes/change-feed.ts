import type pg from 'pg';
import { LruMap } from 'toad-cache';
import { StoreOpenError } from '../../store.ts';
import { closeConnection, type Hosts } from '../database/hosts.ts';
import { tryLock } from '../database/try-lock.ts';
import { CHANGE_CHANNEL, type Change, type ChangeNotice, fromText } from './change-notice.ts';

/** How long after a change by another server its effect may be missing here. */
export const COHERENT_MS = 1000;
/** How often the connection is tested. */
const TEST_MS = 400;
/** A connection that does not answer a test is given up. */
const ANSWER_MS = 2000;
/** Those of the last seconds. */
const EXPECTED_MAX = 10_000;
const IS_COPIED =
  'The database in STORE_URL is being copied. Start the server when "curt copy" has finished.';
const RECONNECT_MS = { first: 50, last: 1000 };

/** Called with each change. What takes longer than the call is returned as a promise. */
export type ChangeListener = (notice: ChangeNotice) => void | Promise<void>;

/**
 * Learns of changes by all servers, by a connection of its own. It tests the connection all the time:
 * notices arrive in order, so an answer says that all notices from before the test have arrived.
 */
export class ChangeFeed {
  readonly #hosts: Hosts;
  readonly #onError: (error: unknown) => void;
  readonly #listeners: ChangeListener[] = [];
  /** Ids of notices. */
  readonly #expected = new LruMap<true>(EXPECTED_MAX);
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** When the last test that was answered had begun, as of `performance.now()`. */
  #testedAt = Number.NEGATIVE_INFINITY;
  #reconnectMs = RECONNECT_MS.first;
  #isClosed = false;

  constructor(hosts: Hosts, onError: (error: unknown) => void) {
    this.#hosts = hosts;
    this.#onError = onError;
  }

  /**
   * Resolves when no later change can be missed.
   *
   * @throws StoreOpenError while the database is copied
   */
  async open(): Promise<void> {
    await this.#connect();
  }

  /** Whether all changes until `COHERENT_MS` ago are known. */
  get isUpToDate(): boolean {
    return performance.now() - this.#testedAt < COHERENT_MS;
  }

  listen(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  /**
   * Passes a change on to all listeners. To be called for own changes once they are committed, so that
   * they take effect at once; their notices arrive later and do no harm. Resolves when it is in effect.
   */
  async apply(notice: ChangeNotice): Promise<void> {
    try {
      await Promise.all(this.#listeners.map((listener) => listener(notice)));
    } catch (error) {
      if (this.#isClosed) return;
      this.#onError(error);
      // What could not be read is read again.
      setTimeout(() => this.apply(notice), RECONNECT_MS.last).unref();
    }
  }

  /** A notice that was applied when the change was committed, and that is still to arrive. */
  expect({ id }: Change): void {
    if (id !== undefined) this.#expected.set(id, true);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    if (this.#client) await closeConnection(this.#client);
  }

  #receive(notice: ChangeNotice): void {
    if (notice !== 'all' && notice.id !== undefined && this.#expected.get(notice.id)) return;
    void this.apply(notice);
  }

  async #connect(): Promise<void> {
    const start = performance.now();
    const client = await this.#hosts.connect({ query_timeout: ANSWER_MS });
    client.on('notification', ({ payload = '' }) => this.#receive(fromText(payload)));
    try {
      await client.query(`LISTEN ${CHANGE_CHANNEL}`);
      if (!(await tryLock(client, 'use', { isShared: true }))) throw new StoreOpenError(IS_COPIED);
    } catch (error) {
      void client.end();
      throw error;
    }
    client.once('end', () => this.#disconnected());
    this.#client = client;
    this.#testedAt = start;
    this.#reconnectMs = RECONNECT_MS.first;
    this.#testLater(client);
    if (this.#isClosed) void client.end();
  }

  #testLater(client: pg.Client): void {
    this.#timer = setTimeout(() => this.#test(client), TEST_MS).unref();
  }

  async #test(client: pg.Client): Promise<void> {
    const start = performance.now();
    try {
      const { rows } = await client.query('SHOW transaction_read_only');
      // Another host may have become the primary, and is the one that sends notices then.
      if (rows[0]?.transaction_read_only !== 'off') throw new Error('it is read-only');
      this.#testedAt = start;
      this.#testLater(client);
    } catch {
      // Its end is noticed, and it is replaced.
      void client.end();
    }
  }

  #disconnected(): void {
    this.#client = undefined;
    this.#testedAt = Number.NEGATIVE_INFINITY;
    this.#reconnectLater();
  }

  #reconnectLater(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    // Servers that lost the database at the same time do not all come back at the same time.
    const delay = this.#reconnectMs * (0.5 + Math.random() / 2);
    this.#reconnectMs = Math.min(2 * this.#reconnectMs, RECONNECT_MS.last);
    this.#timer = setTimeout(() => this.#reconnect(), delay).unref();
  }

  async #reconnect(): Promise<void> {
    try {
      await this.#connect();
      // Anything may have changed meanwhile.
      this.apply('all');
    } catch {
      // Other connections may work, and only lists are not looked up again without notices.
      const mayHaveChanged = { blocks: true, domains: true };
      void Promise.allSettled(this.#listeners.map((listener) => listener(mayHaveChanged)));
      this.#reconnectLater();
    }
  }
}
