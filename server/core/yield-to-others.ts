import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 10;

/**
 * For loops that take long: returns a function to await in each round. Every 10 ms it lets the event
 * loop handle other requests.
 */
export function createYielder(): () => Promise<void> | undefined {
  let start = performance.now();
  return () => {
    if (performance.now() - start < SLICE_MS) return undefined;
    return setImmediate().then(() => {
      start = performance.now();
    });
  };
}
