import { onTestFinished, vi } from 'vitest';
import { START } from '../../../support/manual-time.ts';

/** Stops the clock that `Date` shows, until the test ends. */
export function standStill(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  onTestFinished(() => void vi.useRealTimers());
}
