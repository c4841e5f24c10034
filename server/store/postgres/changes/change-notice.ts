import type { Query, Statement } from '../database/statement.ts';

export const CHANGE_CHANNEL = 'curt_changes';
/** The database refuses 8000 bytes and more. */
const NOTICE_MAX_BYTES = 7000;
const NOTIFY: Statement = { name: 'notify', text: `SELECT pg_notify('${CHANGE_CHANNEL}', $1)` };

/** What a transaction changed that servers keep in memory. */
export type Change = {
  /** Keys of aliases: those in lower case. */
  aliases?: readonly string[];
  /** Hashes of tokens that were revoked. */
  tokens?: readonly string[];
  /** Ids of accounts that were edited or deleted: nothing that is known of their tokens holds. */
  accounts?: readonly string[];
  /** Ids of accounts that were deleted: nobody can see their links. */
  deletedAccounts?: readonly string[];
  /** Blocks were added or removed. */
  blocks?: boolean;
};

/** `all`: anything may have changed. */
export type ChangeNotice = Change | 'all';

/** Tells all servers of a change once the transaction is committed. */
export async function announce(query: Query, change: Change): Promise<void> {
  await query(NOTIFY, [toText(change)]);
}

/** For a statement that calls `pg_notify` itself. */
export function toText(change: Change): string {
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
