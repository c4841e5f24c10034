import type { Failure } from '../../messaging/protocol.ts';
import type { PendingRequest } from '../../storage/items.ts';
import { isRepeatable, RETRY_WINDOW_MS, repeatableUntilMs } from './pending-requests.ts';

const MIN_DELAY_MS = 60_000;
const MAX_DELAY_MS = 60 * 60_000;
/** Spreads the clients of a server that was unavailable. */
const JITTER = 0.1;
const DAY_MS = 24 * 60 * 60_000;
/** Upper limit for retries after the monthly quota is exceeded. */
const QUOTA_RETRY_WINDOW_MS = 38 * DAY_MS;

/** Whether the server is unavailable, or only a proxy in front of it responds. */
export function isAway({ code, status = 0 }: Failure): boolean {
  return (
    code === 'unreachable' || code === 'timeout' || code === 'unreadable_answer' || status >= 500
  );
}

export function isLimited({ status }: Failure): boolean {
  return status === 429;
}

/** Whether the server rejects this request, which says nothing about other requests. */
export function isRejected(failure: Failure): boolean {
  const { code, status = 0 } = failure;
  return status >= 400 && status < 500 && code !== 'not_curt' && !isLimited(failure);
}

/**
 * When to retry: as the server says, otherwise with exponential backoff from a minute to an hour. A
 * repeated call must be sent before its key expires.
 *
 * @param attempts failed attempts before this one
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
  const retryAfterMs = (failure.retryAfterSeconds ?? 0) * 1000;
  // The server rounds to whole seconds, so wait a little longer.
  if (isLimited(failure) && retryAfterMs > 0) return retryAfterMs + 1000 * (1 + chance);
  // These limits are per day, so start with the longest delay.
  const isPerDay = failure.code === 'account_limit' || failure.code === 'anonymous_limit';
  const firstMs = isPerDay ? MAX_DELAY_MS : MIN_DELAY_MS;
  const backoffMs = Math.min(firstMs * 2 ** attempts, MAX_DELAY_MS);
  return Math.max(backoffMs, retryAfterMs) * (1 + JITTER * chance);
}

/** When to give up: after a week, counted from the reset of the monthly quota if that is exceeded. */
export function giveUpAtMs(failure: Failure, pending: PendingRequest, retryAtMs: number): number {
  if (failure.code !== 'quota_exceeded') return pending.retryUntilMs;
  return Math.max(
    pending.retryUntilMs,
    Math.min(retryAtMs + RETRY_WINDOW_MS, pending.requestedAtMs + QUOTA_RETRY_WINDOW_MS),
  );
}
