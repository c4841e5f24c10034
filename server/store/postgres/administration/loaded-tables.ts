import { every, type Time } from '../../../../shared/time.ts';
import type { Block, Blocks } from '../../blocks.ts';
import { BlockTable } from '../../records.ts';
import type { StoredDomain, StoredDomains } from '../../stored-domains.ts';
import type { Database } from '../database/database.ts';
import type { PlainRow } from '../rows.ts';

/** So that a change by another server is in effect within a second. */
const READ_EVERY_MS = 750;
/** How long the database counts as there after it has answered. */
const CURRENT_MS = 1000;

const READ_BLOCKS = `SELECT key, value FROM blocks ORDER BY (value->>'since')::bigint, key`;
const READ_DOMAINS = 'SELECT key, value FROM domains';

/** All blocks and domains. Operators make few, so servers keep them in memory, and read them all the time. */
export class LoadedTables {
  blocks: Blocks = new BlockTable();
  domains: StoredDomains = new Map();
  readonly #database: Database;
  #loading: Promise<void> = Promise.resolve();
  /** The load that begins after the one under way. */
  #next: Promise<void> | undefined;
  readonly #time: Time;
  #endReading: () => void = () => {};
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(database: Database, time: Time) {
    this.#database = database;
    this.#time = time;
  }

  /** Reads them now, and from now on. */
  async open(): Promise<void> {
    await this.load();
    // If the database cannot be used, they stay as they are. Whoever needs it reports that.
    this.#endReading = every(this.#time, READ_EVERY_MS, () => this.load().catch(() => {}));
  }

  /** Whether the database has answered lately. */
  get isCurrent(): boolean {
    return this.#time.monotonic() - this.#readAt < CURRENT_MS;
  }

  /** One time after the other: what was committed before the call is in effect then. */
  load(): Promise<void> {
    const load = () => {
      this.#next = undefined;
      return this.#read();
    };
    this.#next ??= this.#loading = this.#loading.then(load, load);
    return this.#next;
  }

  close(): void {
    this.#endReading();
  }

  /** As visits, which need them, and one after the other, so that a server at rest has one connection. */
  async #read(): Promise<void> {
    type BlockRow = PlainRow<Pick<Block, 'reason' | 'since'>>;
    const blocks = await this.#database.readForVisit<BlockRow>(READ_BLOCKS, []);
    const domains = await this.#database.readForVisit<PlainRow<StoredDomain>>(READ_DOMAINS, []);
    const table = new BlockTable();
    for (const { key, value } of blocks) table.set(key, value);
    this.blocks = table;
    this.domains = new Map(domains.map(({ key, value }) => [key, value]));
    this.#readAt = this.#time.monotonic();
  }
}
