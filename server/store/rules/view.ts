import type { Account, LinkCounts } from '../account.ts';
import type { StoredToken } from '../records/account-json.ts';
import type { RecordValues } from '../records.ts';
import type { AliasHolder } from './aliases.ts';

/** Records that a decision gets by their key. */
export type ViewedKind = Exclude<keyof RecordValues, 'alias' | 'hits' | 'used'>;

/** What decisions ask for: what is on disk, or also what is about to be. */
export interface View {
  /** A link: undefined also once its account was deleted. A token: also the first one of an account. */
  get<Kind extends ViewedKind>(kind: Kind, key: string): RecordValues[Kind] | undefined;
  /** @param alias in lower case */
  holder(alias: string): AliasHolder | undefined;
  /** Whether the account has a link of that row of an import. */
  hasImportKey(accountId: string, importKey: string): boolean;
  accountByIdentity(identityHash: string): Account | undefined;
  /** Whether there was such an account. */
  isDeleted(accountId: string): boolean;
  /** Oldest first. */
  tokens(accountId: string): readonly StoredToken[];
  /** Links of the account that exist, in total and in the calendar month of a time. */
  counts(accountId: string, time: number): LinkCounts;
}
