import { setTimeout } from 'node:timers/promises';
import { StoreUnavailableError } from '../../store.ts';

/**
 * Waits for an answer of a database, but not for one that hangs.
 *
 * @throws StoreUnavailableError after the time
 */
export async function withinTime<T>(answer: Promise<T>, ms: number): Promise<T> {
  return Promise.race([answer, failAfter(ms)]);
}

async function failAfter(ms: number): Promise<never> {
  await setTimeout(ms, undefined, { ref: false });
  throw new StoreUnavailableError('it is too slow');
}
