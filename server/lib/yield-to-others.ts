import { setImmediate } from 'node:timers/promises';

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
): () => Promise<void> | undefined {
  let start = performance.now();
  return () => {
    if (performance.now() - start < SLICE_MS) return undefined;
    return nextTurn().then(() => {
      start = performance.now();
    });
  };
}
