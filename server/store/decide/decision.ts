import type { StoreRecord } from '../records.ts';

/**
 * What follows from a change. A decision is a pure function of facts: it reads no clock and no store. Every
 * driver looks the facts up, decides, and writes the records, all or none.
 */
export type Decision<T> = { outcome: T; records: StoreRecord[] };

/** Nothing is written. */
export function unchanged<T>(outcome: T): Decision<T> {
  return { outcome, records: [] };
}
