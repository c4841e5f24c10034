/**
 * Counts events of one kind and one client in a fixed window, which starts with the first event. All
 * servers that use the data have the same counters. A crash of the database may reset them.
 */
export type StoredCounter = {
  key: string;
  /** At least 1. */
  max: number;
  windowMs: number;
};

/** The count and the remaining milliseconds of a counter's window. */
export type WindowState = { current: number; ttl: number };

export type Taken =
  | { isCounted: true; states: WindowState[] }
  /** `full`: the index of the first counter whose limit is reached. */
  | { isCounted: false; full: number; waitMs: number };

/** Counters that several servers share. Every method rejects with `StoreUnavailableError` if it cannot count. */
export interface StoredCounters {
  /** Counts an event of each counter, in one round trip. If one has reached its limit, none counts. */
  take(counters: readonly StoredCounter[]): Promise<Taken>;

  /** Uncounts an event of each counter. */
  takeBack(counters: readonly StoredCounter[]): Promise<void>;

  /** The state of a counter's window, without counting. */
  read(counter: StoredCounter): Promise<WindowState>;

  /** Counts events regardless of limits. A key for it must not be used with `take`. */
  add(additions: readonly (StoredCounter & { count: number })[]): Promise<void>;

  /**
   * The counters whose limit was reached by `add`, by any server.
   *
   * @param sinceMs reached at most this long ago
   */
  listFull(sinceMs: number): Promise<{ key: string; ttl: number }[]>;
}
