import type { FailureCode, ShortenResult } from '../../messaging/protocol.ts';
import type { PendingRequest } from '../../storage/items.ts';
import { changePending, findPending, groupOf, listPending } from './pending-requests.ts';
import { isOpen } from './read-pending.ts';
import { isRejected } from './retry-policy.ts';

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

export type RetrySchedulerOptions = {
  /** Retries a request. Gives up if it has expired. */
  retryRequest: (id: string, pending: PendingRequest) => Promise<ShortenResult>;
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
  function pauseAfter(answer: ShortenResult): Pause | undefined {
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
export function isScarce({ limits }: ShortenResult): boolean {
  return limits?.rate !== undefined && limits.rate.remaining <= CALLS_RESERVED;
}
