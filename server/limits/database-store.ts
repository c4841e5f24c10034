import type { StoredCounter, StoredCounters } from '../store/counters.ts';
import { type LimitPart, partsOf, waitMs } from './limit-key.ts';
import type { LimitOptions, LimitStore, OnState } from './limit-store.ts';

/** Counts a limit's events in the database, exactly for all servers together. */
export class DatabaseStore implements LimitStore {
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

  /** The database has counted it already. */
  keep(): void {}

  #parts(key: string): StoredCounter[] {
    return partsOf(key, this.limit.max).map(this.#toStored);
  }
}
