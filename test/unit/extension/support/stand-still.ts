import { onTestFinished, vi } from 'vitest';
import { START } from '../../../support/manual-time.ts';

/** Stops the clock that `Date` shows, until the test ends. */
export function standStill(): void {
  // biome-ignore lint/plugin: texts and alarms are about the clock of the machine, and no timer is replaced.
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  onTestFinished(() => void vi.useRealTimers());
}
