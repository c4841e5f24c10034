import { browser } from 'wxt/browser';
import type { Queue } from './queue.ts';
import { RETRY_ALARM } from './retry-alarm.ts';

/**
 * Tries what waits: when its time has come, when the machine is online again, and as the worker or
 * the browser starts. To be called as the worker starts: a listener added later misses its event.
 */
export function listenToRetries({ retryAll }: Pick<Queue, 'retryAll'>): void {
  browser.alarms.onAlarm.addListener(({ name }) => {
    if (name === RETRY_ALARM) void retryAll('due');
  });
  // Browsers would not start a worker without a listener.
  browser.runtime.onStartup.addListener(() => void retryAll('away'));
  addEventListener('online', () => void retryAll('away'));
  void retryAll('away');
}
