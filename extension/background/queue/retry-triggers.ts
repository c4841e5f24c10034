import { browser } from 'wxt/browser';
import type { Queue } from './queue.ts';
import { RETRY_ALARM } from './retry-alarm.ts';

/**
 * Retries queued requests when they are due, when the computer is online again, and when the worker
 * or the browser starts. Call synchronously at startup: a listener added later misses its event.
 */
export function listenToRetries({ retryAll }: Pick<Queue, 'retryAll'>): void {
  browser.alarms.onAlarm.addListener(({ name }) => {
    if (name === RETRY_ALARM) void retryAll('due');
  });
  // Browsers only start the worker at browser startup if there is a listener.
  browser.runtime.onStartup.addListener(() => void retryAll('away'));
  addEventListener('online', () => void retryAll('away'));
  void retryAll('away');
}
