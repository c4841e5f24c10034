import { IDEMPOTENCY_WINDOW_MS } from '../../../../shared/limits.ts';
import type { Account } from '../../account.ts';
import type { Idempotency, Replay } from '../../link.ts';
import { Listing } from '../listing/listing.ts';
import type { HistoryJson } from '../statistics/history-json.ts';
import { StoredStatistics } from '../statistics/stored-statistics.ts';
import type { VisitsJson } from '../statistics/visits-json.ts';
import { AccountTable } from './account-table.ts';
import type { LinkJson } from './link-json.ts';
import { LinkTable } from './link-table.ts';

/** The content of a journal or snapshot line, without its checksum. */
export type LineRecord = {
  /** Journal only: the offset in the file at which the line's batch begins. */
  batch?: number;
  /** The changes of one call, all or none: in this order, with the link as the last member. */
  account?: Account;
  idempotency?: Idempotency;
  /** Snapshot only: an edited link as it was created, as long as an idempotency key refers to it. */
  first?: LinkJson;
  link?: LinkJson;
  /** Journal only: an edited link, without its hits. */
  edit?: LinkJson;
  /** Journal only: link ids and their new hits. */
  hits?: [id: string, hits: number][];
  /** Journal only: visits to add to the statistics. */
  visits?: VisitsJson;
  /** Snapshot only: the statistics of a link, after its line, or of an account. */
  statistics?: HistoryJson;
};

/** A change to write to the journal. */
export type Change = {
  /** The line's members, as JSON. */
  members: string;
  /** How many of its bytes the next snapshot will retain. */
  retainedBytes: number;
};

/** A retry may start before its key expires and read the link a little later. */
const GRACE_MS = 60_000;

type StoredKey = Omit<Idempotency, 'keyHash'> & { link: number; created: number };

/** What lowdb's `Low` holds: everything that is on disk. */
export class State {
  readonly links = new LinkTable();
  readonly accounts = new AccountTable();
  readonly listing = new Listing(this.links, this.accounts);
  readonly statistics = new StoredStatistics(this.links);
  /** By key hash, in chronological order. */
  readonly #idempotencyKeys = new Map<string, StoredKey>();
  readonly #openedAt: number;

  /** @param now idempotency keys that have expired by then are not loaded */
  constructor(now: number) {
    this.#openedAt = now;
  }

  /**
   * Adds the result of one call. `json` is the text of `link`.
   *
   * @returns how many links the account has created in that month, including this one
   */
  add(
    link: LinkJson,
    json: string,
    account: Account | null,
    idempotency: Idempotency | null,
  ): number {
    return this.#index(this.links.add(link, json), link, account, idempotency);
  }

  /** Applies an edit. `json` is the text of `link`. */
  edit(number: number, link: LinkJson, json: string, now: number): void {
    this.links.edit(number, link, json, !hasExpired(link.created, now - GRACE_MS));
    this.listing.linkEdited(number, link);
  }

  /** Loads a line. Its link's JSON is in `bytes` from `start` to `end`. */
  load(record: LineRecord, bytes: Buffer, start: number, end: number): void {
    const { link, edit, account = null } = record;
    if (link) {
      const hasExpiredKey = hasExpired(link.created, this.#openedAt);
      const idempotency = hasExpiredKey ? null : (record.idempotency ?? null);
      const number = this.links.addBytes(link, bytes, start, end);
      if (record.first && !hasExpiredKey) this.links.addOriginal(number, record.first);
      this.#index(number, link, account, idempotency);
    } else if (edit) {
      const number = this.links.numberOf(edit.id);
      if (number === undefined)
        throw new Error(`a line edits the link ${edit.id}, which does not exist`);
      this.edit(number, edit, bytes.toString('utf8', start, end), this.#openedAt);
    } else if (account) {
      this.accounts.add(account);
    }
    if (record.visits) this.statistics.add(record.visits);
    if (record.statistics) this.statistics.load(record.statistics);
    for (const [id, hits] of record.hits ?? []) {
      const number = this.links.numberOf(id);
      if (number !== undefined) this.links.addHits(number, hits);
    }
  }

  /** Size of the line that contains the link's current state. */
  lineBytes(id: string): number {
    const number = this.links.numberOf(id);
    return number === undefined ? 0 : this.links.lineBytes(number);
  }

  replay(keyHash: string, now: number): Replay | undefined {
    const entry = this.#idempotencyKeys.get(keyHash);
    if (!entry || hasExpired(entry.created, now)) return undefined;
    const { bodyHash, tokenSalt } = entry;
    return { keyHash, bodyHash, tokenSalt, link: this.links.readOriginal(entry.link) };
  }

  /** @param max maximum number at once, so that the event loop is not blocked */
  deleteExpiredKeys(now: number, max: number): void {
    this.links.deleteOriginals((created) => hasExpired(created, now - GRACE_MS), max);
    let left = max;
    for (const [keyHash, { created }] of this.#idempotencyKeys) {
      if (left-- === 0 || !hasExpired(created, now)) return;
      this.#idempotencyKeys.delete(keyHash);
    }
  }

  #index(
    number: number,
    link: LinkJson,
    account: Account | null,
    idempotency: Idempotency | null,
  ): number {
    const { accountId, created } = link;
    if (account) this.accounts.add(account);
    const linksInMonth = this.accounts.countLink(accountId, created);
    this.listing.linkAdded(number, link);
    if (!idempotency) return linksInMonth;
    const { keyHash, bodyHash, tokenSalt } = idempotency;
    // Deleted first, to keep the map in chronological order.
    this.#idempotencyKeys.delete(keyHash);
    this.#idempotencyKeys.set(keyHash, { bodyHash, tokenSalt, link: number, created });
    return linksInMonth;
  }
}

export function hasExpired(created: number, now: number): boolean {
  return now >= created + IDEMPOTENCY_WINDOW_MS;
}

/**
 * How many bytes of a line the next snapshot will retain: without hits and idempotency keys.
 *
 * @param replacedBytes size of the line that an edit replaces
 */
export function retainedBytes(
  { link, edit, idempotency, batch }: LineRecord,
  lineBytes: number,
  replacedBytes: number,
): number {
  if (!link && !edit) return 0;
  const batchBytes = batch === undefined ? 0 : '"batch":,'.length + String(batch).length;
  const keyBytes = idempotency ? JSON.stringify({ idempotency }).length : 0;
  return lineBytes - batchBytes - keyBytes - replacedBytes;
}
