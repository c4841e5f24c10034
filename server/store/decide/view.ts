import type { Account, LinkCounts } from '../account.ts';
import type { Block } from '../blocks.ts';
import type { StoredDomain } from '../domains.ts';
import type { Link } from '../link.ts';
import type { StoredToken } from '../records/account-json.ts';
import type { UsedKey } from '../records.ts';
import type { LinkReports } from '../reports.ts';
import type { AliasHolder } from './aliases.ts';

/** What decisions ask for: what is on disk, or also what is about to be. */
export interface View {
  /** Undefined also once its account was deleted. */
  link(id: string): Link | undefined;
  /** @param alias in lower case */
  holder(alias: string): AliasHolder | undefined;
  account(id: string): Account | undefined;
  accountByIdentity(identityHash: string): Account | undefined;
  /** Whether there was such an account. */
  isDeleted(accountId: string): boolean;
  token(tokenHash: string): StoredToken | undefined;
  /** Oldest first. */
  tokens(accountId: string): readonly StoredToken[];
  usedKey(keyHash: string): UsedKey | undefined;
  /** Links of the account that exist, in total and in the calendar month of a time. */
  counts(accountId: string, time: number): LinkCounts;
  /** What counts against a quota besides the links. @param key see `useKey` */
  useBesides(key: string): number;
  /** @param key see `blockKey` */
  block(key: string): Pick<Block, 'reason'> | undefined;
  domain(host: string): StoredDomain | undefined;
  reports(linkId: string): LinkReports | undefined;
}
