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
  link?: LinkJson;
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

type Remembered = Omit<Idempotency, 'keyHash'> & { link: number; created: number };

/** What lowdb's `Low` holds: everything that is on disk, and what is about to be. */
export class State {
  readonly links = new LinkTable();
  readonly accounts = new AccountTable();
  /** In the order of time, by key. */
  readonly #remembered = new Map<string, Remembered>();
  readonly #openedAt: number;
  /** What the adapter has not written yet. */
  unwritten: Change[] = [];

  /** @param now idempotency keys whose time is over by then are not read */
  constructor(now: number) {
    this.#openedAt = now;
  }

  /** Keeps what one call made. `json` is the link's text, `link` the same. */
  keep(link: LinkJson, json: string, account: Account | null, idempotency: Idempotency | null) {
    this.#keep(this.links.add(link, json), link, account, idempotency);
  }

  /** Takes in a line; `start` and `end` say where in `bytes` its link's JSON stands. */
  load(record: LineRecord, bytes: Buffer, start: number, end: number): void {
    const { link, account = null } = record;
    if (link) {
      const isForgotten = isOver(link.created, this.#openedAt);
      const idempotency = isForgotten ? null : (record.idempotency ?? null);
      const number = this.links.addBytes(link, bytes, start, end);
      this.#keep(number, link, account, idempotency);
    } else if (account) {
      this.accounts.add(account);
    }
    for (const [id, hits] of record.hits ?? []) {
      const number = this.links.numberOf(id);
      if (number !== undefined) this.links.addHits(number, hits);
    }
  }

  replay(keyHash: string, now: number): Replay | undefined {
    const entry = this.#remembered.get(keyHash);
    if (!entry || isOver(entry.created, now)) return undefined;
    const { bodyHash, tokenSalt } = entry;
    return { keyHash, bodyHash, tokenSalt, link: this.links.read(entry.link) };
  }

  /** @param most how many at once: more would stop the event loop */
  forgetOldKeys(now: number, most: number): void {
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
  ): void {
    if (account) this.accounts.add(account);
    this.accounts.countLink(accountId, created);
    if (!idempotency) return;
    const { keyHash, bodyHash, tokenSalt } = idempotency;
    // Deleted first, so that the map stays in the order of time.
    this.#remembered.delete(keyHash);
    this.#remembered.set(keyHash, { bodyHash, tokenSalt, link: number, created });
  }
}

export function isOver(created: number, now: number): boolean {
  return now >= created + IDEMPOTENCY_WINDOW_MS;
}

/** How many bytes of a line the next snapshot will hold: sums and old keys go. */
export function lastingBytes({ link, idempotency, batch }: LineRecord, lineBytes: number): number {
  if (!link) return 0;
  const batchBytes = batch === undefined ? 0 : '"batch":,'.length + String(batch).length;
  const keyBytes = idempotency ? JSON.stringify({ idempotency }).length : 0;
  return lineBytes - batchBytes - keyBytes;
}
