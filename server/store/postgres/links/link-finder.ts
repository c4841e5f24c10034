import { IDEMPOTENCY_WINDOW_MS } from '../../../../shared/limits.ts';
import type { AliasState } from '../../decide/alias-state.ts';
import type { Link, Replay } from '../../link.ts';
import { fromLinkJson, type LinkJson } from '../../records/link-json.ts';
import type { ChangeFeed } from '../changes/change-feed.ts';
import type { DeletedAccounts } from '../changes/deleted-accounts.ts';
import type { Database } from '../database/database.ts';
import type { Query, Statement } from '../database/statement.ts';
import { readAliasStates } from './alias-rows.ts';
import type { HitCounter } from './hit-counter.ts';
import { LinkCache } from './link-cache.ts';
import type { LinkPlaces } from './link-places.ts';
import type { LinkReader } from './link-reader.ts';
import { fromLinkRow } from './link-row.ts';

const FIND_IMPORT_KEYS: Statement = {
  name: 'find_import_keys',
  text: 'SELECT import_key FROM aliases WHERE account_id = $1 AND import_key = ANY ($2)',
};
const FIND_REPLAY: Statement = {
  name: 'find_replay',
  text: `SELECT body_hash, token_salt, link FROM idempotency_keys
    WHERE key_hash = $1 AND created > $2 AND link IS NOT NULL AND NOT EXISTS (
      SELECT FROM account_links
      WHERE account_links.account_id = idempotency_keys.account_id AND is_deleted
    )`,
};

type ReplayRow = { body_hash: string; token_salt: string | null; link: LinkJson };

/** Finds links by their aliases. */
export class LinkFinder {
  readonly cache: LinkCache;
  readonly #database: Database;
  readonly #reader: LinkReader;
  readonly #hits: HitCounter;
  readonly #places: LinkPlaces;
  readonly #deleted: DeletedAccounts;

  constructor(
    database: Database,
    reader: LinkReader,
    feed: ChangeFeed,
    deleted: DeletedAccounts,
    hits: HitCounter,
    places: LinkPlaces,
    onError: (error: unknown) => void,
  ) {
    this.#database = database;
    this.#reader = reader;
    this.#deleted = deleted;
    this.#hits = hits;
    this.#places = places;
    this.cache = new LinkCache(feed, (key) => this.#read(key), onError);
    feed.listen((notice) => this.cache.forget(notice));
  }

  /** See `Store.findLink`. */
  async find(alias: string): Promise<Link | undefined> {
    const link = await this.cache.find(alias.toLowerCase());
    if (!link || this.#deleted.has(link.accountId)) return undefined;
    return this.withHits(link);
  }

  /** The link with the hits that were counted since it was read. */
  withHits(link: Link): Link {
    const { id } = link;
    return { ...link, hits: this.#places.hitsOf(id, link.hits) + this.#hits.unwritten(id) };
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
    const read = (query: Query) => readAliasStates(query, keys, accountId);
    const states = await this.#database.readTogether(read);
    return keys.map((key) => states.get(key) as AliasState);
  }

  /** See `Store.findImportKeys`. */
  async findImportKeys(accountId: string, keys: readonly string[]): Promise<Set<string>> {
    type Row = { import_key: string };
    const rows = await this.#database.read<Row>(FIND_IMPORT_KEYS, [accountId, keys]);
    return new Set(rows.map(({ import_key }) => import_key));
  }

  /** See `Store.findReplay`. */
  async findReplay(keyHash: string, now: number): Promise<Replay | undefined> {
    const values = [keyHash, now - IDEMPOTENCY_WINDOW_MS];
    const [row] = await this.#database.read<ReplayRow>(FIND_REPLAY, values);
    if (!row) return undefined;
    const link = fromLinkJson(row.link, 0);
    return { keyHash, bodyHash: row.body_hash, tokenSalt: row.token_salt, link };
  }

  async #read(key: string): Promise<Link | undefined> {
    const [row] = await this.#hits.readWithHits(() => this.#reader.read(key));
    if (!row) return undefined;
    this.#places.note(row.id, row.key, row.hits);
    return fromLinkRow(row);
  }
}
