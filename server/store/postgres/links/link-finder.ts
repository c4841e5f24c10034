import type { Link } from '../../link.ts';
import { aliasState } from '../../rules/aliases.ts';
import { findReplay } from '../../rules/used-keys.ts';
import { type Store, StoreUnavailableError } from '../../store.ts';
import { type ChangeFeed, COHERENT_MS } from '../changes/change-feed.ts';
import { Facts } from '../changes/facts.ts';
import type { Database } from '../database/database.ts';
import type { Standby } from '../database/standby.ts';
import { withinTime } from '../database/within-time.ts';
import { type KeyRow, READ_KEYS } from './key-row.ts';
import { LinkCache } from './link-cache.ts';
import { fromLinkRow, STORED_LINK, type StoredLink } from './link-row.ts';

export const FIND_LINK = `SELECT ${STORED_LINK} FROM visible_links
    WHERE id = (SELECT link_id FROM aliases WHERE key = $1)`;
const FIND_OWNERS = 'SELECT key, account_id, link_id FROM aliases WHERE key = ANY ($1)';
const FIND_IMPORT_KEYS =
  'SELECT import_key FROM visible_links WHERE account_id = $1 AND import_key = ANY ($2)';

type Finder = Pick<
  Store,
  'findLink' | 'knownLink' | 'isAliasFree' | 'aliasStates' | 'findImportKeys' | 'findReplay'
>;

/**
 * Finds links by their aliases, and what is known of aliases and keys.
 *
 * @param standby asked for links while the database cannot be used
 */
export function linkFinder(
  database: Database,
  feed: ChangeFeed,
  standby: Standby | undefined,
): Finder {
  const cache = new LinkCache(feed, async (key) => {
    const [row] = await database.readForVisit<StoredLink>(FIND_LINK, [key]);
    return row && fromLinkRow(row);
  });
  feed.listen((notice) => cache.invalidate(notice));

  /** What the standby has may be old, and is not remembered. */
  const find = async (key: string): Promise<Link | undefined> => {
    const found = cache.find(key);
    if (!standby) return found;
    try {
      // A database that hangs does not make visitors wait for what the standby has.
      return await withinTime(found, COHERENT_MS);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      const [row] = await standby.read<StoredLink>(FIND_LINK, [key]);
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
      const facts = new Facts();
      facts.addKey(row);
      return findReplay(facts, keyHash, now);
    },
  };
}
