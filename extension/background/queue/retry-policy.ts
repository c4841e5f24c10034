import type { Failure } from '../../messaging/protocol.ts';
import type { PendingRequest } from '../../storage/items.ts';
import { isRepeatable, RETRY_WINDOW_MS, repeatableUntilMs } from './pending-requests.ts';

const FIRST_RETRY_MS = 60_000;
const LAST_RETRY_MS = 60 * 60_000;
/** So that a server's many clients do not come back all at once. */
const JITTER = 0.1;
const DAY_MS = 24 * 60 * 60_000;
/** At the most, where the server said that there are no more links this month. */
const QUOTA_RETRY_WINDOW_MS = 38 * DAY_MS;

/** Nothing answers, or only what may stand in front of the server. */
export function isAway({ code, status = 0 }: Failure): boolean {
  return (
    code === 'unreachable' || code === 'timeout' || code === 'unreadable_answer' || status >= 500
  );
}

export function isLimited({ status }: Failure): boolean {
  return status === 429;
}

/**
 * When to try again: as the server says, else later each time, from a minute to an hour. What is in
 * doubt must be tried while the server knows its key.
 *
 * @param attempts how many have failed before this one
 * @param chance from 0 to 1
 */
export function retryTimeMs(
  failure: Failure,
  { call }: PendingRequest,
  attempts: number,
  nowMs: number,
  chance: number,
): number {
  const atMs = nowMs + delayMs(failure, attempts, chance);
  return isRepeatable(call, nowMs) ? Math.min(atMs, repeatableUntilMs(call)) : atMs;
}

function delayMs(failure: Failure, attempts: number, chance: number): number {
  const saidMs = (failure.retryAfterSeconds ?? 0) * 1000;
  // The end of a limit is told in whole seconds: a moment later it is surely over.
  if (isLimited(failure) && saidMs > 0) return saidMs + 1000 * (1 + chance);
  // A day's limit does not end within a minute, whether or not the server says when it does.
  const firstMs = failure.code === 'account_limit' ? LAST_RETRY_MS : FIRST_RETRY_MS;
  const backoffMs = Math.min(firstMs * 2 ** attempts, LAST_RETRY_MS);
  return Math.max(backoffMs, saidMs) * (1 + JITTER * chance);
}

/** Until when a wish is tried: a week, counted from the month in which there are links again. */
export function retryUntilMs(failure: Failure, pending: PendingRequest, retryAtMs: number): number {
  if (failure.code !== 'quota_exceeded') return pending.retryUntilMs;
  return Math.max(
    pending.retryUntilMs,
    Math.min(retryAtMs + RETRY_WINDOW_MS, pending.requestedAtMs + QUOTA_RETRY_WINDOW_MS),
  );
}
