import type { FailureCode, ShortenResult } from '../../messaging/protocol.ts';
import type { PendingRequest } from '../../storage/items.ts';
import { changePending, findPending, groupOf, listPending } from './pending-requests.ts';

/** A limit ends when the server says so, whether or not it was away. */
const LIMITS = new Set<FailureCode>(['rate_limited', 'account_limit', 'quota_exceeded']);

/** Calls of a minute's rate that are left to the user. */
const CALLS_RESERVED = 2;

/**
 * Which wishes are tried: those whose time has come; or also those that wait only for a server to be
 * back; or all.
 */
export type RetryScope = 'due' | 'away' | 'all';

export type RetrySchedulerOptions = {
  /** Tries one. Gives it up where that makes no more sense. */
  retryRequest: (id: string, pending: PendingRequest) => Promise<ShortenResult>;
  /** Gives one up whose time is over. @returns whether it was */
  giveUpIfExpired: (id: string, pending: PendingRequest) => Promise<boolean>;
  /** Whether somebody waits for its answer already. */
  hasCaller: (id: string) => boolean;
  nowMs: () => number;
};

/** The wishes after one that failed wait with it, until a time. */
type Pause = { untilMs: number; skipsIndeterminate: boolean };

/** Goes through the wishes of a server one after the other: one that is away is asked once. */
export function createRetryScheduler({
  retryRequest,
  giveUpIfExpired,
  hasCaller,
  nowMs,
}: RetrySchedulerOptions) {
  const running = new Map<string, Promise<void>>();

  function retryGroup(group: string, scope: RetryScope): Promise<void> {
    const before = running.get(group);
    if (before) return before;
    const round = retryEach(group, scope).finally(() => running.delete(group));
    running.set(group, round);
    return round;
  }

  async function retryEach(group: string, scope: RetryScope): Promise<void> {
    let stop: Pause | undefined;
    for (const [id] of await listPending()) {
      // As it is now: a round takes its time.
      const pending = await findPending(id);
      if (!pending || groupOf(pending) !== group || hasCaller(id) || !isEligible(pending, scope))
        continue;
      if (stop && !(stop.skipsIndeterminate && pending.call)) await postpone(id, pending, stop);
      else stop = pauseAfter(await retryRequest(id, pending)) ?? stop;
    }
  }

  function isEligible({ status, retryAtMs, failure }: PendingRequest, scope: RetryScope): boolean {
    if (status === 'done') return false;
    const isLimited = failure !== undefined && LIMITS.has(failure);
    return retryAtMs <= nowMs() || scope === 'all' || (scope === 'away' && !isLimited);
  }

  async function postpone(id: string, pending: PendingRequest, { untilMs }: Pause): Promise<void> {
    if (await giveUpIfExpired(id, pending)) return;
    if (pending.retryAtMs < untilMs) await changePending(id, { retryAtMs: untilMs });
  }

  /** @returns until when the others of its server have no chance */
  function pauseAfter(answer: ShortenResult): Pause | undefined {
    if (!answer.ok) {
      // A server that fails at one wish may resolveAndShorten the others.
      if (!answer.queued || answer.code === 'internal') return undefined;
      // A repeated call makes no new link, so a month without more is no matter for it.
      const skipsIndeterminate = answer.code === 'quota_exceeded';
      return { untilMs: answer.queued.retryAtMs, skipsIndeterminate };
    }
    if (!isScarce(answer)) return undefined;
    const seconds = answer.limits?.rate?.resetsInSeconds ?? 0;
    return { untilMs: nowMs() + (seconds + 1) * 1000, skipsIndeterminate: false };
  }

  return { retryGroup };
}

/** Whether the rest of this minute's calls is the user's. */
export function isScarce({ limits }: ShortenResult): boolean {
  return limits?.rate !== undefined && limits.rate.remaining <= CALLS_RESERVED;
}
