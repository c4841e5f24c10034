import { IDEMPOTENCY_WINDOW_MS } from '../../../shared/limits.ts';
import type { Account, Idempotency, Replay } from '../store.ts';
import { AccountTable } from './account-table.ts';
import type { LinkJson } from './link-json.ts';
import { LinkTable } from './link-table.ts';

/** What a line of the journal or of a snapshot says beside its checksum. */
export type LineRecord = {
  /** Journal only: the byte of the file at which the line's batch begins. */
  batch?: number;
  /** What one call kept, all or none of it: in this order, the link last. */
  account?: Account;
  idempotency?: Idempotency;
  /** Snapshot only: how an edited link was made, while an idempotency key is there to ask for it. */
  first?: LinkJson;
  link?: LinkJson;
  /** Journal only: a link as it became, without its hits. */
  edit?: LinkJson;
  /** Link ids and how many visitors came since the line before. */
  hits?: [id: string, hits: number][];
};

/** A change on its way to the journal. */
export type Change = {
  /** The line's members, as JSON. */
  members: string;
  /** How many bytes of it the next snapshot will hold. */
  lastingBytes: number;
};

/** A call may begin within a key's day, and ask what it did a little after. */
const LATE_MS = 60_000;

type Remembered = Omit<Idempotency, 'keyHash'> & { link: number; created: number };

/** What lowdb's `Low` holds: everything that is on disk. */
export class State {
  readonly links = new LinkTable();
  readonly accounts = new AccountTable();
  /** In the order of time, by key. */
  readonly #remembered = new Map<string, Remembered>();
  readonly #openedAt: number;

  /** @param now idempotency keys whose time is over by then are not read */
  constructor(now: number) {
    this.#openedAt = now;
  }

  /**
   * Keeps what one call made. `json` is the link's text, `link` the same.
   *
   * @returns how many links the account has made in that month, with this one
   */
  keep(
    link: LinkJson,
    json: string,
    account: Account | null,
    idempotency: Idempotency | null,
  ): number {
    return this.#keep(this.links.add(link, json), link, account, idempotency);
  }

  /** Keeps what an edit made of a link. `json` is the link's text, `link` the same. */
  keepEdit(number: number, link: LinkJson, json: string, now: number): void {
    this.links.edit(number, link, json, !isOver(link.created, now - LATE_MS));
  }

  /** Takes in a line; `start` and `end` say where in `bytes` its link's JSON stands. */
  load(record: LineRecord, bytes: Buffer, start: number, end: number): void {
    const { link, edit, account = null } = record;
    if (link) {
      const isForgotten = isOver(link.created, this.#openedAt);
      const idempotency = isForgotten ? null : (record.idempotency ?? null);
      const number = this.links.addBytes(link, bytes, start, end);
      if (record.first && !isForgotten) this.links.addFirst(number, record.first);
      this.#keep(number, link, account, idempotency);
    } else if (edit) {
      const number = this.links.numberOf(edit.id);
      if (number === undefined) throw new Error(`a line edits ${edit.id}, which is no link`);
      this.keepEdit(number, edit, bytes.toString('utf8', start, end), this.#openedAt);
    } else if (account) {
      this.accounts.add(account);
    }
    for (const [id, hits] of record.hits ?? []) {
      const number = this.links.numberOf(id);
      if (number !== undefined) this.links.addHits(number, hits);
    }
  }

  /** How many bytes of a file say what the link is now. */
  lineBytes(id: string): number {
    const number = this.links.numberOf(id);
    return number === undefined ? 0 : this.links.lineBytes(number);
  }

  replay(keyHash: string, now: number): Replay | undefined {
    const entry = this.#remembered.get(keyHash);
    if (!entry || isOver(entry.created, now)) return undefined;
    const { bodyHash, tokenSalt } = entry;
    return { keyHash, bodyHash, tokenSalt, link: this.links.readFirst(entry.link) };
  }

  /** @param most how many at once: more would stop the event loop */
  forgetOldKeys(now: number, most: number): void {
    this.links.forgetFirsts((created) => isOver(created, now - LATE_MS), most);
    let left = most;
    for (const [keyHash, { created }] of this.#remembered) {
      if (left-- === 0 || !isOver(created, now)) return;
      this.#remembered.delete(keyHash);
    }
  }

  #keep(
    number: number,
    { accountId, created }: LinkJson,
    account: Account | null,
    idempotency: Idempotency | null,
  ): number {
    if (account) this.accounts.add(account);
    const linksInMonth = this.accounts.countLink(accountId, created);
    if (!idempotency) return linksInMonth;
    const { keyHash, bodyHash, tokenSalt } = idempotency;
    // Deleted first, so that the map stays in the order of time.
    this.#remembered.delete(keyHash);
    this.#remembered.set(keyHash, { bodyHash, tokenSalt, link: number, created });
    return linksInMonth;
  }
}

export function isOver(created: number, now: number): boolean {
  return now >= created + IDEMPOTENCY_WINDOW_MS;
}

/**
 * How many bytes of a line the next snapshot will hold: sums and old keys go.
 *
 * @param replacedBytes of the line that an edit takes the place of
 */
export function lastingBytes(
  { link, edit, idempotency, batch }: LineRecord,
  lineBytes: number,
  replacedBytes: number,
): number {
  if (!link && !edit) return 0;
  const batchBytes = batch === undefined ? 0 : '"batch":,'.length + String(batch).length;
  const keyBytes = idempotency ? JSON.stringify({ idempotency }).length : 0;
  return lineBytes - batchBytes - keyBytes - replacedBytes;
}
