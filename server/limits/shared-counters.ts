import { every, type Time } from '../../shared/time.ts';
import type { StoredCounter, StoredCounters } from '../store/counters.ts';
import {
  type LimitCounter,
  type LimitPart,
  MemoryCounter,
  type OnState,
  partsOf,
  waitMs,
} from './limit-counter.ts';
import type { LimitOptions } from './limit-table.ts';

const INTERVAL_MS = 1000;
/** The clocks of servers differ a little. */
const OVERLAP_MS = 5000;
/** Bounds memory while the database is away. Each server's own limits hold anyway. */
const PENDING_MAX = 32_768;

type Options = {
  time: Time;
  counters: StoredCounters;
  /** The key under which all servers count a part. */
  toStored: (part: LimitPart) => StoredCounter;
  /** Called once when the database stops answering. */
  onError: (error: unknown) => void;
};

type Addition = StoredCounter & { count: number };

/**
 * Counts in memory what must not wait for the database. Once a second, it adds the events that stay counted
 * to those of the other servers, and learns which limits all of them together have reached.
 */
export class ExchangedCounter extends MemoryCounter {
  readonly #options: Options;
  readonly #pending = new Map<string, Addition>();
  #exchangedAt: number;
  readonly #endExchanges: () => void;
  #isFailing = false;
  #exchanging: Promise<void> | undefined;

  constructor(limit: LimitOptions, options: Options) {
    super(limit, options.time.monotonic);
    this.#options = options;
    this.#exchangedAt = options.time.monotonic() - limit.windowMs;
    this.#endExchanges = every(options.time, INTERVAL_MS, () => {
      this.#exchanging ??= this.#exchange().finally(() => {
        this.#exchanging = undefined;
      });
      return this.#exchanging;
    });
  }

  override keep(key: string): void {
    for (const part of this.parts(key)) this.#addPending(part, 1);
  }

  /** What is counted here is not taken back. */
  override count(key: string, amount: number): number {
    const waitMs = super.count(key, amount);
    if (waitMs === 0) for (const part of this.parts(key)) this.#addPending(part, amount);
    return waitMs;
  }

  async close(): Promise<void> {
    this.#endExchanges();
    await this.#exchanging;
  }

  protected override parts(key: string): StoredCounter[] {
    return super.parts(key).map(this.#options.toStored);
  }

  async #exchange(): Promise<void> {
    const { time, counters, onError } = this.#options;
    const now = time.monotonic();
    const additions = [...this.#pending.values()];
    this.#pending.clear();
    try {
      const sinceMs = now - this.#exchangedAt + OVERLAP_MS;
      const full = await counters.exchange(additions, this.limit.windowMs, sinceMs);
      // A key has the name of its limit in it: those of other limits are those of nobody here.
      for (const { key, ttl } of full) this.fill(key, ttl);
      this.#exchangedAt = now;
      this.#isFailing = false;
    } catch (error) {
      for (const { count, ...part } of additions) this.#addPending(part, count);
      if (!this.#isFailing) onError(error);
      this.#isFailing = true;
    }
  }

  #addPending(part: StoredCounter, count: number): void {
    const pending = this.#pending.get(part.key);
    if (pending) pending.count += count;
    else if (this.#pending.size < PENDING_MAX) this.#pending.set(part.key, { ...part, count });
  }
}

/** Counts a limit's events in the database, exactly for all servers together. */
export class DatabaseCounter implements LimitCounter {
  readonly limit: LimitOptions;
  readonly #counters: StoredCounters;
  readonly #toStored: (part: LimitPart) => StoredCounter;

  constructor(
    limit: LimitOptions,
    counters: StoredCounters,
    toStored: (part: LimitPart) => StoredCounter,
  ) {
    this.limit = limit;
    this.#counters = counters;
    this.#toStored = toStored;
  }

  incr(key: string, done: OnState): void {
    this.#counters
      .take(this.#parts(key), this.limit.windowMs)
      .then(
        ({ isCounted, current, ttl }) =>
          done(null, { current: isCounted ? current : this.limit.max + 1, ttl }),
        done,
      );
  }

  read(key: string, done: OnState): void {
    const parts = this.#parts(key);
    this.#counters.read(parts).then((states) => {
      const ttl = waitMs(parts, states);
      done(null, ttl > 0 ? { current: this.limit.max, ttl } : states.at(-1));
    }, done);
  }

  takeBack(key: string): Promise<void> {
    return this.#counters.takeBack(this.#parts(key));
  }

  #parts(key: string): StoredCounter[] {
    return partsOf(key, this.limit.max).map(this.#toStored);
  }
}
