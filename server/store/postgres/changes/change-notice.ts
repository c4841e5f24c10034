import { randomUUID } from 'node:crypto';
import type { Link } from '../../link.ts';
import type { StoreRecord } from '../../records.ts';
import { aliasesOf } from '../../rules/aliases.ts';
import type { View } from '../../rules/view.ts';
import type { Query } from '../database/statement.ts';

export const CHANGE_CHANNEL = 'curt_changes';
/** The database refuses 8000 bytes and more. */
const NOTICE_MAX_BYTES = 7000;
const NOTIFY = `SELECT pg_notify('${CHANGE_CHANNEL}', $1)`;

/** What a transaction changed that servers keep in memory. */
export type Change = {
  /** By which a server recognizes its own. */
  id?: string;
  /** Keys of aliases: those in lower case. */
  aliases?: readonly string[];
  /** Keys of aliases of new links. Other servers are not notified. */
  newAliases?: readonly string[];
  /** Hashes of tokens that were revoked. */
  tokens?: readonly string[];
  /** Ids of accounts that were edited or deleted: nothing that is known of their tokens holds. */
  accounts?: readonly string[];
  /** Ids of accounts that were deleted: nobody can see their links. */
  deletedAccounts?: readonly string[];
  /** Blocks were added or removed. */
  blocks?: boolean;
  /** Domains were added, edited or removed. */
  domains?: boolean;
};

type ListName = Exclude<keyof Change, 'id' | 'blocks' | 'domains'>;

/** `all`: anything may have changed. */
export type ChangeNotice = Change | 'all';

/** What servers have to know of records. */
export function changeOf(
  records: readonly StoreRecord[],
  before: { links: ReadonlyMap<string, Link> } & Pick<View, 'get'>,
): Change {
  const lists = new Map<ListName, string[]>();
  const add = (name: ListName, keys: string[]) =>
    lists.set(name, [...(lists.get(name) ?? []), ...keys]);
  let blocks = false;
  let domains = false;
  for (const [kind, key, value] of records) {
    if (kind === 'link') {
      const known = before.links.get(key);
      const aliases = [known, value].flatMap((link) => (link ? aliasesOf(link) : []));
      add(known ? 'aliases' : 'newAliases', [...new Set(aliases)]);
    }
    if (kind === 'token' && !value) add('tokens', [key]);
    if (kind === 'account' && before.get('account', key)) add('accounts', [key]);
    if (kind === 'account' && !value) add('deletedAccounts', [key]);
    // An account is deleted with its blocks and those of its links.
    if (kind === 'block' || (kind === 'account' && !value)) blocks = true;
    if (kind === 'domain') domains = true;
  }
  const tables = { ...(blocks && { blocks }), ...(domains && { domains }) };
  return { id: randomUUID(), ...Object.fromEntries(lists), ...tables };
}

/** Notifies all servers once the transaction is committed. They look new links up. */
export async function announce(query: Query, { newAliases: _, ...change }: Change): Promise<void> {
  const { id, ...rest } = change;
  if (Object.keys(rest).length > 0) await query(NOTIFY, [toText(change)]);
}

function toText(change: Change): string {
  const text = JSON.stringify(change);
  return Buffer.byteLength(text) > NOTICE_MAX_BYTES ? '"all"' : text;
}

/** A text that is not by a server, but by whoever else uses the database, may mean anything. */
export function fromText(text: string): ChangeNotice {
  try {
    const notice: unknown = JSON.parse(text);
    return typeof notice === 'object' && notice !== null ? notice : 'all';
  } catch {
    return 'all';
  }
}
