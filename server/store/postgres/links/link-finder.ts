import { type AliasState, aliasState } from '../../decide/aliases.ts';
import { findReplay } from '../../decide/used-keys.ts';
import type { Link, Replay } from '../../link.ts';
import { StoreUnavailableError } from '../../store.ts';
import { type ChangeFeed, COHERENT_MS } from '../changes/change-feed.ts';
import { Facts } from '../changes/facts.ts';
import type { Database } from '../database/database.ts';
import type { Standby } from '../database/standby.ts';
import { withinTime } from '../database/within-time.ts';
import type { HitCounter } from './hit-counter.ts';
import { type KeyRow, READ_KEYS } from './key-row.ts';
import { LinkCache } from './link-cache.ts';
import { fromLinkRow, STORED_LINK, type StoredLink } from './link-row.ts';

export const FIND_LINK = `SELECT ${STORED_LINK} FROM visible_links
    WHERE id = (SELECT link_id FROM aliases WHERE key = $1)`;
const FIND_BY_ID = `SELECT ${STORED_LINK} FROM visible_links WHERE id = $1`;
const FIND_OWNERS = 'SELECT key, account_id, link_id FROM aliases WHERE key = ANY ($1)';
const FIND_IMPORT_KEYS =
  'SELECT import_key FROM visible_links WHERE account_id = $1 AND import_key = ANY ($2)';

/** Finds links by their aliases. */
export class LinkFinder {
  readonly #cache: LinkCache;
  readonly #database: Database;
  readonly #standby: Standby | undefined;
  readonly #hits: HitCounter;

  /** @param standby asked for links while the database cannot be used */
  constructor(
    database: Database,
    feed: ChangeFeed,
    hits: HitCounter,
    standby: Standby | undefined,
  ) {
    this.#database = database;
    this.#standby = standby;
    this.#hits = hits;
    this.#cache = new LinkCache(feed, (key) => this.#read(key));
    feed.listen((notice) => this.#cache.invalidate(notice));
  }

  /** See `Store.findLink`. */
  async find(alias: string): Promise<Link | undefined> {
    const link = await this.#cache.find(alias.toLowerCase());
    return link && this.#hits.withHits(link);
  }

  /** See `Store.knownLink`. */
  known(alias: string): Link | undefined {
    return this.#cache.known(alias.toLowerCase());
  }

  /** See `Administration.findLinkById`. */
  async findById(id: string): Promise<Link | undefined> {
    const read = () => this.#database.read<StoredLink>(FIND_BY_ID, [id]);
    const [row] = await this.#hits.readWithHits(read);
    return row && this.#hits.withHits(fromLinkRow(row));
  }

  /** See `Store.isAliasFree`. */
  async isAliasFree(alias: string, accountId: string | undefined): Promise<boolean> {
    const [state] = await this.aliasStates([alias], accountId);
    return state !== 'taken';
  }

  /** See `Store.aliasStates`. */
  async aliasStates(
    aliases: readonly string[],
    accountId: string | undefined,
  ): Promise<AliasState[]> {
    const keys = aliases.map((alias) => alias.toLowerCase());
    type Row = { key: string; account_id: string; link_id: string | null };
    const rows = await this.#database.read<Row>(FIND_OWNERS, [keys]);
    const holders = new Map(
      rows.map(({ key, account_id, link_id: id }) => {
        const reserved = { accountId: account_id };
        return [key, id === null ? reserved : { ...reserved, id }];
      }),
    );
    return keys.map((key) => aliasState(holders.get(key), accountId));
  }

  /** See `Store.findImportKeys`. */
  async findImportKeys(accountId: string, keys: readonly string[]): Promise<Set<string>> {
    type Row = { import_key: string };
    const rows = await this.#database.read<Row>(FIND_IMPORT_KEYS, [accountId, keys]);
    return new Set(rows.map(({ import_key }) => import_key));
  }

  /** See `Store.findReplay`. */
  async findReplay(keyHash: string, now: number): Promise<Replay | undefined> {
    const [row] = await this.#database.read<KeyRow>(READ_KEYS, [[keyHash]]);
    if (!row) return undefined;
    const facts = new Facts();
    facts.addKey(row);
    return findReplay(facts, keyHash, now);
  }

  async #read(key: string): Promise<Link | undefined> {
    const [row] = await this.#hits.readWithHits(() => this.#readRows(key));
    if (row) this.#hits.noteWritten(row.id, row.hits);
    return row && fromLinkRow(row);
  }

  async #readRows(key: string): Promise<StoredLink[]> {
    const rows = this.#database.read<StoredLink>(FIND_LINK, [key]);
    if (!this.#standby) return rows;
    try {
      // A database that hangs does not make visitors wait for what the standby has.
      return await withinTime(rows, COHERENT_MS);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      const found = await this.#standby.read<StoredLink>(FIND_LINK, [key]);
      // It may not have heard of a new link.
      return found.length > 0 ? found : rows;
    }
  }
}
