import { browser } from 'wxt/browser';
import { createTurns } from '../../shared/turns.ts';
import { pendingWishes, sessionWishes } from '../storage.ts';

export const RETRY_ALARM = 'retry-wishes';

const inTurn = createTurns();

/** One alarm for the earliest retry. Browsers may lose it as they end: planned anew at each start. */
export function planRetries(): Promise<void> {
  return inTurn('', async () => {
    const wishes = { ...(await pendingWishes.read()), ...(await sessionWishes.read()) };
    const times = Object.values(wishes).flatMap(({ isMade, retryAtMs }) =>
      isMade ? [] : [retryAtMs],
    );
    if (times.length === 0) await browser.alarms.clear(RETRY_ALARM);
    else await browser.alarms.create(RETRY_ALARM, { when: Math.min(...times) });
  });
}
