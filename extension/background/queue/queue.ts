import type { Failure, ShortenResult } from '../../messaging/protocol.ts';
import { watchErasing } from '../../storage/erase.ts';
import type { PendingRequest } from '../../storage/items.ts';
import { expectMoreLinks } from '../links/saved-links.ts';
import { invalidateServer } from '../server/verify-server.ts';
import { findCompleted, saveCompleted } from './completed-requests.ts';
import {
  changePending,
  deletePending,
  findPending,
  groupOf,
  isRepeatable,
  listPending,
  type NewLink,
  pendingId,
  savePending,
} from './pending-requests.ts';
import { isOpen } from './read-pending.ts';
import { CANCELLED, createRunner, mayBeListed, type RunnerOptions } from './request-runner.ts';
import { planRetries } from './retry-alarm.ts';
import { createRetryScheduler, isScarce, type RetryScope } from './retry-scheduler.ts';

/** The result of a request whose caller is gone. */
export type DeferredOutcome =
  | ShortenResult
  /** If indeterminate, a call may have created the link. */
  | { ok: false; code: 'given_up'; isIndeterminate: boolean };

export type QueueOptions = RunnerOptions & {
  /** Notifies the user. Must not throw, or the request would be settled again. */
  onDeferred: (id: string, pending: PendingRequest, outcome: DeferredOutcome) => Promise<void>;
};
export type Queue = ReturnType<typeof createQueue>;

/**
 * Creates links. Queues requests while their server is unavailable or a limit is reached, retries
 * them, and reports their result to `onDeferred`.
 */
export function createQueue({ onDeferred, ...options }: QueueOptions) {
  const { nowMs = Date.now } = options;
  const { run, hasCaller, prepareCall } = createRunner(
    options,
    async (id, request, answer, hasCaller) => {
      if (answer.ok && request.requestId) await saveCompleted(request.requestId, answer.data);
      // As it is now: the user may have discarded it during the call, which deletes most requests.
      const current = await findPending(id);
      if (!hasCaller && current && !current.isDiscarded) await onDeferred(id, request, answer);
    },
  );
  const { retryGroup } = createRetryScheduler({ retryRequest, giveUpIfExpired, hasCaller, nowMs });

  /** Creates a link, or queues the request: the failure then has the time of the next attempt. */
  async function create({ reuseExisting, ...pending }: NewLink): Promise<ShortenResult> {
    const completed = pending.requestId && (await findCompleted(pending.requestId));
    if (completed) return { ok: true, data: completed };
    const isErased = watchErasing();
    const id = await pendingId(pending);
    const call = await prepareCall(pending);
    if (!(await savePending(id, pending, nowMs(), call))) return { ok: false, code: 'queue_full' };
    if (isErased()) return CANCELLED;
    const running = run(id, { hasCaller: true, reuseExisting, call });
    const [answer] = await Promise.all([running, planRetries()]);
    // The server is available, so retry the other requests in its queue.
    if (answer.ok && !isScarce(answer)) void retryGroup(groupOf(pending), 'all');
    return answer;
  }

  /** Retries a request without a caller that awaits the result. */
  async function retryRequest(id: string, pending: PendingRequest): Promise<ShortenResult> {
    const failure: Failure = { ok: false, code: pending.failure ?? 'extension_failed' };
    if (pending.call && (await giveUpIfExpired(id, pending))) return failure;
    // Check the server's health first, so that no call is sent while it is unavailable.
    if (!pending.call) await invalidateServer(pending.origin);
    const answer = await run(id);
    if (answer.ok || hasCaller(id)) return answer;
    const remaining = await findPending(id);
    if (!remaining || !(await giveUpIfExpired(id, remaining))) return answer;
    const { queued: _, ...final } = answer;
    return final;
  }

  async function giveUpIfExpired(id: string, pending: PendingRequest): Promise<boolean> {
    if (!isExpired(pending)) return false;
    await onDeferred(id, pending, {
      ok: false,
      code: 'given_up',
      isIndeterminate: pending.call !== undefined,
    });
    await giveUp(id, pending);
    return true;
  }

  /** Deletes a request. Its call may have created a link, which is then not saved. */
  async function giveUp(id: string, { call, isPrivate, origin }: PendingRequest): Promise<void> {
    if (call && !isPrivate) await expectMoreLinks(origin);
    await deletePending(id);
  }

  /** A request whose call may have created a link expires with its key. */
  function isExpired({ call, retryUntilMs }: PendingRequest): boolean {
    return call ? !isRepeatable(call, nowMs()) : nowMs() > retryUntilMs;
  }

  /** Retries the queued requests of all servers. */
  async function retryAll(scope: RetryScope): Promise<void> {
    const requests = await listPending();
    for (const [id, pending] of requests) {
      if (!isOpen(pending) && !isRepeatable(pending.call, nowMs())) await deletePending(id);
    }
    const groups = new Set(requests.map(([, pending]) => groupOf(pending)));
    await Promise.all([...groups].map((group) => retryGroup(group, scope)));
    await planRetries();
  }

  /** Retries a request now, even before its time. */
  async function retry(id: string): Promise<ShortenResult> {
    const pending = await findPending(id);
    return pending ? retryRequest(id, pending) : { ok: false, code: 'extension_failed' };
  }

  /**
   * Deletes a request. If a call may have created a link that the list would show, the request stays
   * until the list can leave out this link, but is never sent again.
   */
  async function discard(id: string): Promise<void> {
    const pending = await findPending(id);
    if (!pending) return;
    if (await mayBeListed(pending)) await changePending(id, { isDiscarded: true });
    else await giveUp(id, pending);
  }

  return { create, retryAll, retry, discard };
}
