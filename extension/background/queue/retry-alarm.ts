import { browser } from 'wxt/browser';
import { createKeyedMutex } from '../../../shared/keyed-mutex.ts';
import { readPending } from './read-pending.ts';

export const RETRY_ALARM = 'retry-wishes';

/** Firefox rings at once for what is due, and a wish may be under way longer than it was planned. */
const PAUSE_MS = 5000;

const runExclusive = createKeyedMutex();

/** One alarm for the earliest retry. Browsers may lose it as they end: planned anew at each start. */
export function planRetries(): Promise<void> {
  return runExclusive('', async () => {
    const times = Object.values(await readPending()).flatMap(({ status, retryAtMs }) =>
      status === 'done' ? [] : [retryAtMs],
    );
    if (times.length === 0) await browser.alarms.clear(RETRY_ALARM);
    else {
      const when = Math.max(Math.min(...times), Date.now() + PAUSE_MS);
      await browser.alarms.create(RETRY_ALARM, { when });
    }
  });
}
