import { setImmediate } from 'node:timers/promises';
import { systemTime } from '../../shared/time.ts';

const SLICE_MS = 10;

/**
 * Returns a function to await before each piece of work that many clients can cause at once. However many are
 * waiting, one continues in each turn of the event loop.
 */
export function createTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => setImmediate());
    return last;
  };
}

/**
 * Returns a function to await in each round of a loop that takes long. Every 10 ms it lets the event loop handle
 * other requests.
 */
export function createYielder(
  nextTurn: () => Promise<void> = setImmediate,
  { monotonic } = systemTime,
): () => Promise<void> | undefined {
  let start = monotonic();
  return () => {
    if (monotonic() - start < SLICE_MS) return undefined;
    return nextTurn().then(() => {
      start = monotonic();
    });
  };
}
