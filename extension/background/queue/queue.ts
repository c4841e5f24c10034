import { browser } from 'wxt/browser';
import type { Success } from '../../../shared/client/result.ts';
import type { CreatedLink, Failure, Result } from '../../messaging/protocol.ts';
import { completedRequests, type PendingRequest, watchErasing } from '../../storage/items.ts';
import { StorageError } from '../../storage/stored-area.ts';
import { invalidateServer } from '../account/servers.ts';
import {
  changePending,
  deletePending,
  findPending,
  groupOf,
  isOpen,
  isRepeatable,
  listPending,
  type NewLink,
  pendingId,
  planRetries,
  RETRY_ALARM,
  savePending,
} from './pending-requests.ts';
import { CANCELLED, createRunner, mayBeListed, type RunnerOptions } from './request-runner.ts';
import { createRetryScheduler, isScarce, type RetryScope } from './retries.ts';

/** The result of a request whose caller is gone. */
export type DeferredOutcome =
  | Result<CreatedLink>
  /** If indeterminate, a call may have created the link. */
  | { ok: false; code: 'given_up'; isIndeterminate: boolean };

type QueueOptions = RunnerOptions & {
  /** Notifies the user. Must not throw, or the request would be settled again. */
  onDeferred: (id: string, pending: PendingRequest, outcome: DeferredOutcome) => Promise<void>;
  /** Tells the user that the storage can't be written, so that no queued request is sent. Must not throw. */
  onUnsaved: () => Promise<void>;
};

/** How long until queued requests are tried again if the storage could not be written. */
const UNSAVED_DELAY_MS = 60 * 60_000;
export type Queue = ReturnType<typeof createQueue>;

/**
 * Creates links. Queues requests while their server is unavailable or a limit is reached, retries
 * them, and reports their result to `onDeferred`.
 */
export function createQueue({ onDeferred, onUnsaved, ...options }: QueueOptions) {
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
  async function create(pending: NewLink): Promise<Result<CreatedLink>> {
    const completed = pending.requestId && (await findCompleted(pending.requestId));
    if (completed) return completed;
    const isErased = watchErasing();
    const id = await pendingId(pending);
    const call = await prepareCall(pending);
    if (!(await savePending(id, pending, nowMs(), call))) return { ok: false, code: 'queue_full' };
    if (isErased()) return CANCELLED;
    const running = run(id, { hasCaller: true, call });
    const [answer] = await Promise.all([running, planRetries()]);
    // The server is available, so retry the other requests in its queue.
    if (answer.ok && !isScarce(answer)) void tellIfUnsaved(retryGroup(groupOf(pending), 'all'));
    return answer;
  }

  /** Retries a request without a caller that awaits the result. */
  async function retryRequest(id: string, pending: PendingRequest): Promise<Result<CreatedLink>> {
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
    await deletePending(id);
    return true;
  }

  /** A request whose call may have created a link expires with its key. */
  function isExpired({ call, retryUntilMs }: PendingRequest): boolean {
    return call ? !isRepeatable(call, nowMs()) : nowMs() > retryUntilMs;
  }

  /** Retries the queued requests of all servers. */
  function retryAll(scope: RetryScope): Promise<void> {
    return tellIfUnsaved(retryGroups(scope));
  }

  /** A request is sent only with a call that is saved. Otherwise a restart would send it with another key. */
  async function tellIfUnsaved(retries: Promise<void>): Promise<void> {
    try {
      await retries;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      await onUnsaved();
      await planRetries(UNSAVED_DELAY_MS);
    }
  }

  async function retryGroups(scope: RetryScope): Promise<void> {
    const requests = await listPending();
    for (const [id, pending] of requests) {
      if (!isOpen(pending) && !isRepeatable(pending.call, nowMs())) await deletePending(id);
    }
    const groups = new Set(requests.map(([, pending]) => groupOf(pending)));
    await Promise.all([...groups].map((group) => retryGroup(group, scope)));
    await planRetries();
  }

  /** Retries a request now, even before its time. */
  async function retry(id: string): Promise<Result<CreatedLink>> {
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
    else await deletePending(id);
  }

  return { create, retryAll, retry, discard };
}

/**
 * Retries queued requests when they are due, when the computer is online again, and when the worker
 * or the browser starts. Call synchronously at startup: a listener added later misses its event.
 */
export function listenToRetries({ retryAll }: Pick<Queue, 'retryAll'>): void {
  browser.alarms.onAlarm.addListener(({ name }) => {
    if (name === RETRY_ALARM) void retryAll('due');
  });
  // Browsers only start the worker at browser startup if there is a listener.
  browser.runtime.onStartup.addListener(() => void retryAll('away'));
  addEventListener('online', () => void retryAll('away'));
  void retryAll('away');
}

/** A popup repeats a message immediately or never, so a few are enough. */
const COMPLETED_MAX = 20;

/** Finds what a request has led to, even if its response got lost. */
export async function findCompleted(requestId: string): Promise<Success<CreatedLink> | undefined> {
  const completed = (await completedRequests.read()).find((one) => one.requestId === requestId);
  if (!completed) return undefined;
  const { link, isExisting } = completed;
  return { ok: true, data: { ...link, ...(isExisting && { isExisting }) } };
}

async function saveCompleted(
  requestId: string,
  { isExisting, notSaved: _, ...link }: CreatedLink,
): Promise<void> {
  await completedRequests.update((others) =>
    [...others, { requestId, link, isExisting }].slice(-COMPLETED_MAX),
  );
}
