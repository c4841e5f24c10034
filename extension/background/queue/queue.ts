import type { Failure, ShortenResult } from '../../messaging/protocol.ts';
import type { PendingRequest } from '../../storage/items.ts';
import { invalidateServer } from '../server/verify-server.ts';
import { findCompleted, saveCompleted } from './completed-requests.ts';
import {
  deletePending,
  findPending,
  groupOf,
  isRepeatable,
  listPending,
  type NewLink,
  pendingId,
  savePending,
} from './pending-requests.ts';
import { createRunner, type RunnerOptions } from './request-runner.ts';
import { planRetries } from './retry-alarm.ts';
import { createRetryScheduler, isScarce, type RetryScope } from './retry-scheduler.ts';

/** How a wish ended for whose answer nobody was waiting. */
export type DeferredOutcome =
  | ShortenResult
  /** In doubt, there may be a link. */
  | { ok: false; code: 'given_up'; isIndeterminate: boolean };

export type QueueOptions = RunnerOptions & {
  /** Tells the user. Must not fail: the wish would end once more. */
  onDeferred: (id: string, pending: PendingRequest, outcome: DeferredOutcome) => Promise<void>;
};
export type Queue = ReturnType<typeof createQueue>;
export type CreateLink = Queue['make'];

/**
 * Makes links, and keeps the requests that a server which is away or limited cannot resolveAndShorten now:
 * they are tried again when that makes sense, and their end is told late.
 */
export function createQueue({ onDeferred, ...options }: QueueOptions) {
  const { nowMs = Date.now } = options;
  const { run, hasCaller } = createRunner(options, async (id, request, answer, hasCaller) => {
    if (answer.ok && request.requestId) await saveCompleted(request.requestId, answer.data);
    if (!hasCaller) await onDeferred(id, request, answer);
  });
  const { retryGroup } = createRetryScheduler({ retryRequest, giveUpIfExpired, hasCaller, nowMs });

  /** Makes the link of a request, or keeps the request: the failure then says until when. */
  async function make({ reuseExisting, ...pending }: NewLink): Promise<ShortenResult> {
    const before = pending.requestId && (await findCompleted(pending.requestId));
    if (before) return { ok: true, data: before };
    const id = await pendingId(pending);
    if (!(await savePending(id, pending, nowMs()))) return { ok: false, code: 'queue_full' };
    const running = run(id, { hasCaller: true, reuseExisting: reuseExisting });
    const [answer] = await Promise.all([running, planRetries()]);
    // The server is there, so what waits for it may have its turn.
    if (answer.ok && !isScarce(answer)) void retryGroup(groupOf(pending), 'all');
    return answer;
  }

  /** Tries one for whose answer nobody waits. */
  async function retryRequest(id: string, pending: PendingRequest): Promise<ShortenResult> {
    const gone: Failure = { ok: false, code: pending.failure ?? 'extension_failed' };
    if (pending.call && (await giveUpIfExpired(id, pending))) return gone;
    // Asked for its health first, a server that is still away leaves no new doubt.
    if (!pending.call) await invalidateServer(pending.origin);
    const answer = await run(id);
    if (answer.ok || hasCaller(id)) return answer;
    const left = await findPending(id);
    if (!left || !(await giveUpIfExpired(id, left))) return answer;
    const { queued: _, ...ended } = answer;
    return ended;
  }

  async function giveUpIfExpired(id: string, pending: PendingRequest): Promise<boolean> {
    if (!isExpired(pending)) return false;
    await onDeferred(id, pending, {
      ok: false,
      code: 'given_up',
      isIndeterminate: pending.call !== undefined,
    });
    await deletePending(id);
    return true;
  }

  /** In doubt, as soon as the server has forgotten its key; else after its time. */
  function isExpired({ call, retryUntilMs: untilMs }: PendingRequest): boolean {
    return call ? !isRepeatable(call, nowMs()) : nowMs() > untilMs;
  }

  /** Tries what waits for every server. */
  async function retryAll(scope: RetryScope): Promise<void> {
    const requests = await listPending();
    for (const [id, { status, call }] of requests) {
      if (status === 'done' && !isRepeatable(call, nowMs())) await deletePending(id);
    }
    const groups = new Set(requests.map(([, pending]) => groupOf(pending)));
    await Promise.all([...groups].map((group) => retryGroup(group, scope)));
    await planRetries();
  }

  /** Tries one now, before its time too. */
  async function retry(id: string): Promise<ShortenResult> {
    const pending = await findPending(id);
    return pending ? retryRequest(id, pending) : { ok: false, code: 'extension_failed' };
  }

  return { make, retryAll, retry, drop: deletePending };
}
