import type { StoredCounter, StoredCounters } from '../store/counters.ts';
import { type Counter, toStored } from './counters.ts';

const INTERVAL_MS = 500;
/** The longest window of a limit that uses this. */
const WINDOW_MAX_MS = 60_000;
/** The clocks of servers differ a little. */
const OVERLAP_MS = 5000;
/** Bounds memory while the database is away. Each server's own limits hold anyway. */
const PENDING_MAX = 32_768;

type Options = {
  /** The same for all servers with this data. */
  secret: Buffer;
  /** Monotonic milliseconds. */
  clock: () => number;
  /** Called once when the database stops answering. */
  onError: (error: unknown) => void;
};

/**
 * Tells the other servers what this one has counted, and learns which limits have been reached by all of
 * them together, twice a second. In between, nothing waits for the database.
 */
export class EventExchange {
  readonly #counters: StoredCounters;
  readonly #options: Options;
  readonly #pending = new Map<string, StoredCounter & { count: number }>();
  /** When the window of a full counter ends. */
  readonly #full = new Map<string, number>();
  #exchangedAt: number;
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;
  #exchanging: Promise<void> = Promise.resolve();

  constructor(counters: StoredCounters, options: Options) {
    this.#counters = counters;
    this.#options = options;
    this.#exchangedAt = options.clock() - WINDOW_MAX_MS;
    this.#schedule();
  }

  get hasFull(): boolean {
    return this.#full.size > 0;
  }

  /** Counts an event of each counter. */
  add(counters: readonly Counter[]): void {
    for (const counter of counters) {
      const stored = toStored(counter, this.#options.secret);
      const pending = this.#pending.get(stored.key);
      if (pending) pending.count++;
      else if (this.#pending.size < PENDING_MAX)
        this.#pending.set(stored.key, { ...stored, count: 1 });
    }
  }

  /** 0, or the milliseconds until the limit that was reached allows the next event. */
  waitMs(counters: readonly Counter[]): number {
    if (this.#full.size === 0) return 0;
    const now = this.#options.clock();
    const waits = counters.map((counter) => {
      const { key } = toStored(counter, this.#options.secret);
      return (this.#full.get(key) ?? now) - now;
    });
    return Math.max(0, ...waits);
  }

  /** Ends the exchange, after the one under way. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#exchanging;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    this.#timer = setTimeout(() => {
      this.#exchanging = this.#exchange().finally(() => this.#schedule());
    }, INTERVAL_MS).unref();
  }

  async #exchange(): Promise<void> {
    const additions = [...this.#pending.values()];
    this.#pending.clear();
    try {
      if (additions.length > 0) await this.#counters.add(additions);
    } catch (error) {
      for (const addition of additions) this.#restore(addition);
      this.#fail(error);
      return;
    }
    try {
      await this.#learn();
      this.#isFailing = false;
    } catch (error) {
      this.#fail(error);
    }
  }

  async #learn(): Promise<void> {
    const { clock } = this.#options;
    const now = clock();
    const sinceMs = Math.min(WINDOW_MAX_MS, now - this.#exchangedAt + OVERLAP_MS);
    for (const { key, ttl } of await this.#counters.listFull(sinceMs))
      this.#full.set(key, now + ttl);
    this.#exchangedAt = now;
    for (const [key, endsAt] of this.#full) if (endsAt <= now) this.#full.delete(key);
  }

  /** Events of a write that failed count with those since. */
  #restore(addition: StoredCounter & { count: number }): void {
    const pending = this.#pending.get(addition.key);
    if (pending) pending.count += addition.count;
    else this.#pending.set(addition.key, addition);
  }

  #fail(error: unknown): void {
    if (!this.#isFailing) this.#options.onError(error);
    this.#isFailing = true;
  }
}
