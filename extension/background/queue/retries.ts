import type { CreatedLink, Failure, FailureCode, Result } from '../../messaging/protocol.ts';
import type { PendingRequest } from '../../storage/items.ts';
import {
  changePending,
  findPending,
  groupOf,
  isOpen,
  isRepeatable,
  listPending,
  RETRY_WINDOW_MS,
  repeatableUntilMs,
} from './pending-requests.ts';

/** Limits end at the time that the server gives, even if the server was unavailable. */
const LIMITS = new Set<FailureCode>([
  'rate_limited',
  'account_limit',
  'anonymous_limit',
  'quota_exceeded',
]);

/** Calls per minute that retries leave to the user. */
const CALLS_RESERVED = 2;

/** Retries the requests that are due; also those that wait for their server; or all of them. */
export type RetryScope = 'due' | 'away' | 'all';

type RetrySchedulerOptions = {
  /** Retries a request. Gives up if it has expired. */
  retryRequest: (id: string, pending: PendingRequest) => Promise<Result<CreatedLink>>;
  /** Gives up on a request if it has expired. @returns whether it had */
  giveUpIfExpired: (id: string, pending: PendingRequest) => Promise<boolean>;
  /** Whether a caller already awaits its result. */
  hasCaller: (id: string) => boolean;
  nowMs: () => number;
};

/** After a failure, the remaining requests of the group wait as long as the failed one. */
type Pause = { untilMs: number; skipsIndeterminate: boolean };

/** Retries the requests of a group one by one, so that an unavailable server is called only once. */
export function createRetryScheduler({
  retryRequest,
  giveUpIfExpired,
  hasCaller,
  nowMs,
}: RetrySchedulerOptions) {
  const running = new Map<string, Promise<void>>();

  function retryGroup(group: string, scope: RetryScope): Promise<void> {
    const current = running.get(group);
    if (current) return current;
    const run = retryEach(group, scope).finally(() => running.delete(group));
    running.set(group, run);
    return run;
  }

  async function retryEach(group: string, scope: RetryScope): Promise<void> {
    let pause: Pause | undefined;
    for (const [id] of await listPending()) {
      // Read again, since earlier requests of the run take time.
      const pending = await findPending(id);
      if (!pending || groupOf(pending) !== group || hasCaller(id) || !isEligible(pending, scope))
        continue;
      if (pause && !(pause.skipsIndeterminate && pending.call)) await postpone(id, pending, pause);
      else pause = pauseAfter(await retryRequest(id, pending)) ?? pause;
    }
  }

  function isEligible(pending: PendingRequest, scope: RetryScope): boolean {
    if (!isOpen(pending)) return false;
    const { retryAtMs, failure } = pending;
    const isLimited = failure !== undefined && LIMITS.has(failure);
    return retryAtMs <= nowMs() || scope === 'all' || (scope === 'away' && !isLimited);
  }

  async function postpone(id: string, pending: PendingRequest, { untilMs }: Pause): Promise<void> {
    if (await giveUpIfExpired(id, pending)) return;
    if (pending.retryAtMs < untilMs) await changePending(id, { retryAtMs: untilMs });
  }

  /** @returns how long the other requests of the group would fail too */
  function pauseAfter(answer: Result<CreatedLink>): Pause | undefined {
    if (!answer.ok) {
      // An internal error may affect this request only.
      if (!answer.queued || answer.code === 'internal' || isRejected(answer)) return undefined;
      // A repeated call creates no new link, so the monthly quota does not apply to it.
      const skipsIndeterminate = answer.code === 'quota_exceeded';
      return { untilMs: answer.queued.retryAtMs, skipsIndeterminate };
    }
    if (!isScarce(answer)) return undefined;
    const seconds = answer.limits?.rate?.resetsInSeconds ?? 0;
    return { untilMs: nowMs() + (seconds + 1) * 1000, skipsIndeterminate: false };
  }

  return { retryGroup };
}

/** Whether the remaining calls of this minute are reserved for the user. */
export function isScarce({ limits }: Result<CreatedLink>): boolean {
  return limits?.rate !== undefined && limits.rate.remaining <= CALLS_RESERVED;
}

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
 * Returns when to retry: as the server says, otherwise with exponential backoff from a minute to an hour. A
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

/** Returns when to give up: after a week, counted from the reset of the monthly quota if that is exceeded. */
export function giveUpAtMs(failure: Failure, pending: PendingRequest, retryAtMs: number): number {
  if (failure.code !== 'quota_exceeded') return pending.retryUntilMs;
  return Math.max(
    pending.retryUntilMs,
    Math.min(retryAtMs + RETRY_WINDOW_MS, pending.requestedAtMs + QUOTA_RETRY_WINDOW_MS),
  );
}
