import { HOUR_MS } from '../lib/durations.ts';
import type { LimitStores } from './limit-stores.ts';

const GUESSED = { name: 'guessed link', max: 1, windowMs: HOUR_MS };

export type GuessedLinks = ReturnType<typeof createGuessedLinks>;

/**
 * Remembers for an hour, on all servers with the data, which links have had as many wrong passwords as they can have
 * from everywhere, so that lists can tell their owners. A restart forgets what memory alone counts.
 */
export function createGuessedLinks(stores: LimitStores) {
  const store = stores.exchanged(GUESSED);
  const keyOf = (linkId: string) => `1*${linkId}`;
  return {
    add(linkId: string): void {
      store.count(keyOf(linkId), 1);
    },

    /** Costs nothing while there is no such link at all. */
    has(linkId: string): boolean {
      return store.hasFull && store.isReached(keyOf(linkId));
    },
  };
}
