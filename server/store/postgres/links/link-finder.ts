import type { Link } from '../../link.ts';
import { findReplay } from '../../rules/add-link.ts';
import { aliasState } from '../../rules/aliases.ts';
import { type Store, StoreUnavailableError } from '../../store.ts';
import { LockedFacts } from '../changes/locked-facts.ts';
import type { ConnectionUrl } from '../database/connection-url.ts';
import { Database } from '../database/database.ts';
import { reasonOf } from '../database/errors.ts';
import { Hosts } from '../database/hosts.ts';
import type { Value } from '../database/session.ts';
import { fromLinkRow, type KeyRow, type LinkRow, READ_KEYS, STORED_LINK } from '../rows.ts';
import { type LinkCache, WAIT_MS, withinTime } from './link-cache.ts';

export const FIND_LINK = `SELECT ${STORED_LINK} FROM visible_links
    WHERE id = (SELECT link_id FROM aliases WHERE key = $1)`;
const FIND_OWNERS = 'SELECT key, account_id, link_id FROM aliases WHERE key = ANY ($1)';
const FIND_IMPORT_KEYS =
  'SELECT import_key FROM visible_links WHERE account_id = $1 AND import_key = ANY ($2)';

type Finder = Pick<
  Store,
  'findLink' | 'knownLink' | 'isAliasFree' | 'aliasStates' | 'findImportKeys' | 'findReplay'
>;

/** Looks a link up by the key of one of its aliases. */
export async function lookUp(database: Database, key: string): Promise<Link | undefined> {
  const [row] = await database.readForVisit<LinkRow>(FIND_LINK, [key]);
  return row && fromLinkRow(row);
}

/**
 * Finds links by their aliases, and what is known of aliases and keys.
 *
 * @param standby asked for links while the database cannot be used
 */
export function linkFinder(
  database: Database,
  cache: LinkCache,
  standby: Standby | undefined,
): Finder {
  /** What the standby has may be old, and is not remembered. */
  const find = async (key: string): Promise<Link | undefined> => {
    const found = cache.find(key);
    if (!standby) return found;
    try {
      // A database that hangs does not make visitors wait for what the standby has.
      return await withinTime(found, WAIT_MS);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      const [row] = await standby.read<LinkRow>(FIND_LINK, [key]);
      // It may not have heard of a new link.
      return row ? fromLinkRow(row) : found;
    }
  };

  const aliasStates = async (aliases: readonly string[], accountId: string | undefined) => {
    const keys = aliases.map((alias) => alias.toLowerCase());
    type Row = { key: string; account_id: string; link_id: string | null };
    const rows = await database.read<Row>(FIND_OWNERS, [keys]);
    const holders = new Map(
      rows.map(({ key, account_id, link_id: id }) => {
        const reserved = { accountId: account_id };
        return [key, id === null ? reserved : { ...reserved, id }];
      }),
    );
    return keys.map((key) => aliasState(holders.get(key), accountId));
  };

  return {
    findLink: (alias) => find(alias.toLowerCase()),
    knownLink: (alias) => cache.known(alias.toLowerCase()),
    isAliasFree: async (alias, accountId) => {
      const [state] = await aliasStates([alias], accountId);
      return state !== 'taken';
    },
    aliasStates,
    findImportKeys: async (accountId, keys) => {
      type Row = { import_key: string };
      const rows = await database.read<Row>(FIND_IMPORT_KEYS, [accountId, keys]);
      return new Set(rows.map(({ import_key }) => import_key));
    },
    findReplay: async (keyHash, now) => {
      const [row] = await database.read<KeyRow>(READ_KEYS, [[keyHash]]);
      if (!row) return undefined;
      const facts = new LockedFacts();
      facts.addKey(row);
      return findReplay(facts, keyHash, now);
    },
  };
}

/** A standby of the database, which may be a little behind. It is asked while the database cannot be used. */
export class Standby {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  #isFailing = false;

  /** @param onError called once each time that the standby cannot be used any more */
  constructor(url: ConnectionUrl, onError: (error: unknown) => void) {
    // The loss of an idle connection shows when it is used.
    this.#database = new Database(new Hosts(url, 'standby'), url.poolSize, () => {});
    this.#onError = onError;
  }

  /** @returns nothing if it cannot be used either */
  async read<Row extends object>(statement: string, values: readonly Value[]): Promise<Row[]> {
    try {
      const rows = await this.#database.readForVisit<Row>(statement, values);
      this.#isFailing = false;
      return rows;
    } catch (error) {
      if (!this.#isFailing) {
        this.#onError(
          new Error(`The database in STORE_READ_URL cannot be used: ${reasonOf(error)}.`),
        );
      }
      this.#isFailing = true;
      return [];
    }
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}
