import type { Account, AccountChanges, Authorization } from './account.ts';
import type { Block } from './blocks.ts';
import type { Link } from './link.ts';
import type { OwnLink } from './link-calls.ts';
import type { Report, ReportedLink } from './reports.ts';
import type { DomainSettings, NewDomain, StoredDomain } from './stored-domains.ts';

/** Which accounts to list, newest first. */
export type AccountQuery = {
  /** 1 or more. */
  limit: number;
  /** `next` of the previous page. */
  after: string | null;
  /** In any letter case, part of the name or the id. */
  search: string | null;
};

/** A page, and where the next one begins: any text, or null on the last page. */
export type AccountPage = { accounts: Account[]; next: string | null };

export type MoveLinkOutcome = 'moved' | 'not_found' | 'no_account';

/** Numbers by day (UTC), as the start of the day; only of days with any. */
export type CountsPerDay = Record<'links' | 'accounts' | 'visits', Map<number, number>>;

/** What an administrator did. Without tokens. */
export type AuditEntry = {
  /** Milliseconds since the epoch, UTC. */
  time: number;
  action: string;
  /** What it was done to. */
  target: string;
  details: Record<string, unknown>;
  /** Who, as the proxy says. Missing: somebody with `ADMIN_TOKEN`. */
  by?: string;
  /** The error code, if an action failed after its entry was written. */
  failed?: string;
};

export type AuditQuery = { limit: number; after: string | null };

export type AuditPage = {
  /** Newest first. */
  entries: AuditEntry[];
  next: string | null;
  /** Lines on this page, or between it and the page before, that were changed or cut off. They are left out. */
  damagedLines: number;
};

/**
 * What only administrators do; part of a `Store`, and with the same rules: a change is on disk when its
 * call resolves, or the call rejects with `StoreUnavailableError`.
 */
export interface Administration {
  /** Undefined if it does not exist or was deleted. */
  findAccount(id: string): Promise<Account | undefined>;

  /**
   * Effective from the next call of `findToken`.
   *
   * @param by default: an administrator
   * @returns undefined if it does not exist
   */
  editAccount(
    id: string,
    changes: AccountChanges,
    by?: Authorization,
  ): Promise<Account | undefined>;

  /** Reads all accounts if nothing is found. Does not block the event loop. */
  listAccounts(query: AccountQuery): Promise<AccountPage>;

  /**
   * Gives a link with its aliases, hits and statistics to another account. It counts there from now on,
   * also against the quota of the month in which it was made. What the former account has in sum, such
   * as its own statistics, stays as it is.
   */
  moveLink(link: OwnLink, to: Account['id']): Promise<MoveLinkOutcome>;

  /**
   * How many links and accounts there are by the day on which they were created, and how many visits by
   * people, also of links that were erased. Does not block the event loop.
   *
   * @param from start of the first day, milliseconds since the epoch
   */
  countPerDay(from: number): Promise<CountsPerDay>;

  /**
   * Adds a block, or replaces its reason. A blocked link that was deleted is not purged when it can't be
   * restored any more: its account could use its aliases again, without the block.
   *
   * @param alias which a link must have at this time, by which the caller found it
   * @returns false if there is no such link or account
   */
  addBlock(block: Block, alias?: string): Promise<boolean>;

  /** @returns whether there was such a block */
  removeBlock(block: Pick<Block, 'kind' | 'value'>): Promise<boolean>;

  /**
   * Adds a domain, or adds a removed one again, as it was apart from what is given.
   *
   * @returns false if there is one with this host
   */
  addDomain(domain: NewDomain): Promise<boolean>;

  /** @returns undefined if there is no such domain */
  editDomain(host: string, changes: Partial<DomainSettings>): Promise<StoredDomain | undefined>;

  /**
   * Removes a domain. Its links and aliases stay as they are.
   *
   * @param time milliseconds since the epoch
   * @returns whether there was such a domain
   */
  removeDomain(host: string, time: number): Promise<boolean>;

  /** Whether any alias begins with this host, also one that no link has any more. Does not block the event loop. */
  hasAliases(host: string): Promise<boolean>;

  /**
   * Deletes a domain that was removed, and has no aliases. As it is removed, it gets none.
   *
   * @param removed when it was removed: it may have been in use since
   * @returns whether there was such a domain
   */
  forgetDomain(host: string, removed: number): Promise<boolean>;

  /** The link with this id, unless it was erased. */
  findLinkById(id: string): Promise<Link | undefined>;

  /** Adds what a visitor says about a link. @returns false if there is no such link */
  addReport(linkId: string, report: Report): Promise<boolean>;

  /** @returns whether the link was reported */
  removeReports(linkId: string): Promise<boolean>;

  /** All links that were reported, in any order. */
  listReports(): Promise<ReportedLink[]>;

  /** How many links were reported. */
  countReportedLinks(): Promise<number>;

  /** Appends to the audit log, which is never changed otherwise. */
  addAuditEntry(entry: AuditEntry): Promise<void>;

  listAuditEntries(query: AuditQuery): Promise<AuditPage>;

  /**
   * When the data was last saved, in milliseconds since the epoch. Undefined if that is not known, as of a
   * database.
   */
  lastBackup(): Promise<number | undefined>;
}

/** The `after` of a query comes from no page of this list. */
export class InvalidPositionError extends Error {
  override name = 'InvalidPositionError';
}
