import type { Refusal } from '../../messaging/protocol.ts';
import type { PendingWish } from '../../storage/items.ts';
import { isRepeatable, repeatableUntilMs, TRIED_MS } from './pending-requests.ts';

const FIRST_RETRY_MS = 60_000;
const LAST_RETRY_MS = 60 * 60_000;
/** So that a server's many clients do not come back all at once. */
const JITTER = 0.1;
const DAY_MS = 24 * 60 * 60_000;
/** At the most, where the server said that there are no more links this month. */
const TRIED_OVER_MONTH_MS = 38 * DAY_MS;

/** Nothing answers, or only what may stand in front of the server. */
export function isAway({ code, status = 0 }: Refusal): boolean {
  return (
    code === 'unreachable' || code === 'timeout' || code === 'unreadable_answer' || status >= 500
  );
}

export function isLimited({ status }: Refusal): boolean {
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
  refusal: Refusal,
  { call }: PendingWish,
  attempts: number,
  nowMs: number,
  chance: number,
): number {
  const atMs = nowMs + delayMs(refusal, attempts, chance);
  return isRepeatable(call, nowMs) ? Math.min(atMs, repeatableUntilMs(call)) : atMs;
}

function delayMs(refusal: Refusal, attempts: number, chance: number): number {
  const saidMs = (refusal.retryAfterSeconds ?? 0) * 1000;
  // The end of a limit is told in whole seconds: a moment later it is surely over.
  if (isLimited(refusal) && saidMs > 0) return saidMs + 1000 * (1 + chance);
  // A day's limit does not end within a minute, whether or not the server says when it does.
  const firstMs = refusal.code === 'account_limit' ? LAST_RETRY_MS : FIRST_RETRY_MS;
  const backoffMs = Math.min(firstMs * 2 ** attempts, LAST_RETRY_MS);
  return Math.max(backoffMs, saidMs) * (1 + JITTER * chance);
}

/** Until when a wish is tried: a week, counted from the month in which there are links again. */
export function triedUntilMs(refusal: Refusal, wish: PendingWish, retryAtMs: number): number {
  if (refusal.code !== 'quota_exceeded') return wish.triedUntilMs;
  return Math.max(
    wish.triedUntilMs,
    Math.min(retryAtMs + TRIED_MS, wish.wishedAtMs + TRIED_OVER_MONTH_MS),
  );
}
