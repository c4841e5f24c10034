import type { StoreRecord } from '../records.ts';
import type { Changes } from './changes.ts';
import type { Data } from './data/data.ts';

/** How long hits and uses of tokens may be delayed, and how much of them a crash may lose. */
const WRITE_MS = 1000;
/** More would make a line that takes too long to write. */
const RECORDS_A_LINE = 5000;

/** Remembers which links have new hits, and which tokens a new day of use, and writes them once a second. */
export class UnsavedHits {
  readonly #data: Data;
  readonly #changes: Changes;
  readonly #onError: (error: unknown) => void;
  #linkIds = new Set<string>();
  /** By the hash of the token: the number of the day. */
  #uses = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(data: Data, changes: Changes, onError: (error: unknown) => void) {
    this.#data = data;
    this.#changes = changes;
    this.#onError = onError;
  }

  /** The link's hits in memory have grown. */
  addHit(linkId: string): void {
    this.#linkIds.add(linkId);
    this.#writeLater();
  }

  addUse(tokenHash: string, day: number): void {
    if (!this.#data.tokenTable.isFirstUse(tokenHash, day)) return;
    this.#uses.set(tokenHash, day);
    this.#data.apply(['used', tokenHash, day]);
    this.#writeLater();
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    try {
      await this.#write();
    } finally {
      clearTimeout(this.#timer);
    }
  }

  #writeLater(): void {
    this.#timer ??= setTimeout(() => this.#write().catch(this.#onError), WRITE_MS);
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [linkIds, uses] = [this.#linkIds, this.#uses];
    this.#linkIds = new Set();
    this.#uses = new Map();
    try {
      await Promise.all(
        inParts(this.#toRecords(linkIds, uses)).map((records) =>
          this.#changes.make({ decide: () => ({ outcome: undefined, records }) }),
        ),
      );
    } catch (error) {
      for (const linkId of linkIds) this.#linkIds.add(linkId);
      for (const [tokenHash, day] of uses) this.#uses.set(tokenHash, day);
      this.#writeLater();
      throw error;
    }
  }

  /** Makes records for the links and tokens that still exist. */
  #toRecords(linkIds: Set<string>, uses: Map<string, number>): StoreRecord[] {
    const records: StoreRecord[] = [];
    for (const linkId of linkIds) {
      const link = this.#data.link(linkId);
      if (link) records.push(['hits', linkId, link.hits]);
    }
    for (const [tokenHash, day] of uses) {
      if (this.#data.token(tokenHash)) records.push(['used', tokenHash, day]);
    }
    return records;
  }
}

function inParts(records: StoreRecord[]): StoreRecord[][] {
  const parts: StoreRecord[][] = [];
  for (let start = 0; start < records.length; start += RECORDS_A_LINE) {
    parts.push(records.slice(start, start + RECORDS_A_LINE));
  }
  return parts;
}
