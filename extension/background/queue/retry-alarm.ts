import { browser } from 'wxt/browser';
import { createKeyedMutex } from '../../../shared/keyed-mutex.ts';
import { isOpen, readPending } from './read-pending.ts';

export const RETRY_ALARM = 'retry-requests';

/** Firefox fires a past alarm immediately, and an attempt may take longer than planned. */
const MIN_DELAY_MS = 5000;

const runExclusive = createKeyedMutex();

/** Sets one alarm for the earliest retry. Browsers may clear alarms on exit, so call it at each start. */
export function planRetries(): Promise<void> {
  return runExclusive('', async () => {
    const open = Object.values(await readPending()).filter(isOpen);
    const times = open.map(({ retryAtMs }) => retryAtMs);
    if (times.length === 0) await browser.alarms.clear(RETRY_ALARM);
    else {
      const when = Math.max(Math.min(...times), Date.now() + MIN_DELAY_MS);
      await browser.alarms.create(RETRY_ALARM, { when });
    }
  });
}
