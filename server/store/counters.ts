/**
 * Counts events of one kind and one client in a fixed window, which starts with the first event. All
 * servers that use the data have the same counters. A crash of the database may reset them.
 */
export type StoredCounter = {
  key: string;
  /** At least 1. */
  max: number;
};

/** The count and the remaining milliseconds of a counter's window. */
export type WindowState = { current: number; ttl: number };

/** The state of the last counter or, if nothing was counted, of the first one whose limit is reached. */
export type Taken = WindowState & { isCounted: boolean };

/** Counters that several servers share. Every method rejects with `StoreUnavailableError` if it cannot count. */
export interface StoredCounters {
  /** Counts an event of each counter, in one round trip. If one has reached its limit, none counts. */
  take(counters: readonly StoredCounter[], windowMs: number): Promise<Taken>;

  /** Uncounts an event of each counter. */
  takeBack(counters: readonly StoredCounter[]): Promise<void>;

  /** The states of the counters' windows, without counting. */
  read(counters: readonly StoredCounter[]): Promise<WindowState[]>;

  /**
   * Counts events regardless of limits. A key for it must not be used with `take`.
   *
   * @returns the counters whose limit was reached in this way by any server
   * @param sinceMs reached at most this long ago
   */
  exchange(
    additions: readonly (StoredCounter & { count: number })[],
    windowMs: number,
    sinceMs: number,
  ): Promise<{ key: string; ttl: number }[]>;
}
