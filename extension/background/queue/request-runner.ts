import type { Client, Failure as ClientFailure } from '../../../shared/client.ts';
import { createKeyedMutex } from '../../../shared/keyed-mutex.ts';
import type { CreatedLinkRecord, LinkRecord } from '../../../shared/links/link-record.ts';
import type { CreatedLink, Failure, FailureCode, Result } from '../../messaging/protocol.ts';
import { type PendingRequest, watchErasing } from '../../storage/items.ts';
import { failureCodeOf } from '../../storage/stored-area.ts';
import { isNoCurt } from '../../urls/server-origin.ts';
import { findMove } from '../account/moved-server.ts';
import { invalidateServer, isVerified, verifyServer } from '../account/servers.ts';
import { dropPrivateToken, findToken, isPrivateToken, saveIssuedToken } from '../account/tokens.ts';
import { hideLink, saveLink } from '../data/saved-links.ts';
import { broadcast } from '../open-pages.ts';
import {
  type Call,
  changePending,
  deletePending,
  findPending,
  findUnsettledCall,
  groupOf,
  isCall,
  isRepeatable,
  type NewLink,
  startSending,
} from './pending-requests.ts';
import { leaveOutPrivate } from './private-links.ts';
import { giveUpAtMs, isAway, isLimited, isRejected, retryTimeMs } from './retries.ts';

export type RunnerOptions = {
  /** The API client of a server. */
  clientOf: (origin: string) => Client;
  /** @default crypto.randomUUID */
  newKey?: () => string;
  /** @default Date.now */
  nowMs?: () => number;
  /** From 0 to 1. @default Math.random */
  chance?: () => number;
};

type RunOptions = {
  /** Whether a caller awaits the result. @default false */
  hasCaller?: boolean;
  /** A call that was saved with the request and has not been sent yet. */
  call?: Call | undefined;
};

type Settle = (
  id: string,
  request: PendingRequest,
  answer: Result<CreatedLink>,
  hasCaller: boolean,
) => Promise<void>;

/** A run in progress in this worker. */
type Run = {
  answer: Promise<Result<CreatedLink>>;
  hasCaller: boolean;
  /** The result, if another run settled the request first. */
  settled?: Result<CreatedLink>;
  /** Whether the data has been erased since. A request of the same id is another one then. */
  isErased: () => boolean;
};

/** The request was deleted while it waited, or all data was erased. */
export const CANCELLED: Failure = { ok: false, code: 'extension_failed' };

/**
 * What the server checks after the key. Everything else, such as the token and the rate limit, it
 * checks before, so that an error says nothing about earlier calls.
 */
const CHECKED_AFTER_KEY = new Set<ClientFailure['code']>([
  'alias_taken',
  'idempotency_mismatch',
  'expires_in_past',
  'account_limit',
  'anonymous_limit',
  'quota_exceeded',
  'store_full',
]);

/**
 * Sends stored requests and prevents duplicates:
 * - a request in progress is not sent again;
 * - without a token for a server, calls to it run one at a time, so that the first call creates the
 *   only account and the others use its token;
 * - a request whose call ended without a clear response is repeated with the same key and credentials.
 *
 * A run moves a request from `queued` or `indeterminate` to `sending`, and then either settles it or
 * moves it back with a time for the next attempt. A request settles with a link, or with a failure
 * that another attempt would not change.
 *
 * @param settle is called with the result before the request is removed. May be called twice if the
 * worker stops in between.
 */
export function createRunner(
  {
    clientOf,
    newKey = () => crypto.randomUUID(),
    nowMs = Date.now,
    chance = Math.random,
  }: RunnerOptions,
  settle: Settle,
) {
  const running = new Map<string, Run>();
  const runExclusive = createKeyedMutex();

  /** Sends a stored request, or joins its run in progress. */
  function run(id: string, { hasCaller = false, call }: RunOptions = {}) {
    const current = running.get(id);
    if (current && !current.isErased()) {
      current.hasCaller ||= hasCaller;
      return current.answer;
    }
    const isErased = watchErasing();
    const answer = attempt(id, isErased, call).finally(() => {
      if (running.get(id)?.isErased === isErased) running.delete(id);
    });
    running.set(id, { answer, hasCaller, isErased });
    return answer;
  }

  const hasCaller = (id: string) => running.get(id)?.hasCaller ?? false;
  const cancelled = (id: string) => running.get(id)?.settled ?? CANCELLED;

  async function attempt(
    id: string,
    isErased: () => boolean,
    unsent: Call | undefined,
  ): Promise<Result<CreatedLink>> {
    const saved = await findPending(id);
    if (!saved) return cancelled(id);
    const isUnsent = isCall(saved, unsent);
    const request = isUnsent ? { ...saved, call: undefined } : saved;
    const { origin, isPrivate } = request;
    const verified = await verifyServer(origin, clientOf, isPrivate);
    if (isErased()) return CANCELLED;
    const call = isRepeatable(request.call, nowMs()) ? request.call : undefined;
    if (!verified.ok) {
      const isKept = isAway(verified) || isLimited(verified) || verified.movedTo !== undefined;
      if (call || isKept) return postpone(id, request, verified);
      // It is not a Curt server, and retrying would not change that.
      return settleRequest(id, request, verified);
    }
    const token = call ? call.token : await findToken(origin, isPrivate);
    if (token) return sendAs(id, token, isErased, isUnsent ? unsent : undefined);
    return runExclusive(groupOf(request), () => sendAnonymously(id, request, isErased));
  }

  async function sendAnonymously(
    id: string,
    { origin, isPrivate }: PendingRequest,
    isErased: () => boolean,
  ): Promise<Result<CreatedLink>> {
    const token = await findToken(origin, isPrivate);
    const unsettled = token ? undefined : await findUnsettledCall(origin, isPrivate, nowMs());
    if (unsettled && unsettled[0] !== id) {
      // Another anonymous call could create a second account: settle the first call before.
      const [otherId] = unsettled;
      const answer = await sendAs(otherId, undefined, isErased);
      const [request, other] = await Promise.all([findPending(id), findPending(otherId)]);
      const isUnsettled = !answer.ok && !isRejected(answer) && other?.call;
      if (isUnsettled && request && !request.call) {
        const { queued: _, ...failure } = answer;
        return postpone(id, request, failure);
      }
    }
    return sendAs(id, await findToken(origin, isPrivate), isErased);
  }

  /**
   * The call of a new request, to be saved with it. Undefined if something else comes first: its server must be
   * verified, or there is no account yet.
   */
  async function prepareCall({ origin, isPrivate }: NewLink): Promise<Call | undefined> {
    if (!(await isVerified(origin))) return undefined;
    const token = await findToken(origin, isPrivate);
    return token === undefined ? undefined : toCall(token);
  }

  function toCall(token: string | undefined): Call {
    return { ...(token && { token }), idempotencyKey: newKey(), startedAtMs: nowMs() };
  }

  /**
   * @param token for a new call; a repeated call keeps its own
   * @param newCall one that was saved with the request
   */
  async function sendAs(
    id: string,
    token: string | undefined,
    isErased: () => boolean,
    newCall = toCall(token),
  ): Promise<Result<CreatedLink>> {
    if (isErased()) return CANCELLED;
    const request = await startSending(id, newCall);
    if (!request || isErased()) return cancelled(id);
    const { origin, isPrivate, call } = request;
    const isFirst = call.idempotencyKey === newCall.idempotencyKey;
    const result = await clientOf(origin).createLink({
      body: request.request,
      token: call.token,
      idempotencyKey: call.idempotencyKey,
    });
    if (result.ok) {
      const { isReused } = result.data;
      if (isReused && (await leaveOutPrivate(origin, [result.data])).records.length === 0) {
        // A private window has created it, and this window must not show that.
        const { reuse: _, ...another } = request.request;
        await changePending(id, { call: undefined, request: another });
        return sendAs(id, call.token, isErased);
      }
      const { isReused: _, authToken: __, newAuthToken: ___, ...data } = result.data;
      const created = { ...data, ...(isReused && { isExisting: true as const }) };
      const notSaved = await save(request, result.data, { link: data, isErased });
      // The user erased all data meanwhile: return the link without saving anything.
      if (isErased()) return { ...result, data: created };
      const settled = { ...created, ...(notSaved && { notSaved }) };
      return settleRequest(id, request, { ...result, data: settled });
    }
    if (isErased()) return result;
    // After an unclear response, verify the server before the next call.
    if (isNoCurt(result.code)) await invalidateServer(origin);
    if (result.code === 'invalid_token' && call.token) await dropPrivateToken(origin, call.token);
    if (!isDefinite(result, isFirst)) {
      // The user may have replaced the token. If the account is the same, so is the link of the key.
      const current = result.code === 'invalid_token' && (await findToken(origin, isPrivate));
      const repeated = current ? { ...request, call: { ...call, token: current } } : request;
      const movedTo = isNoCurt(result.code) ? await findMove(origin, clientOf) : undefined;
      return postpone(id, repeated, { ...result, ...(movedTo && { movedTo }) });
    }
    if (result.status !== 429) return settleRequest(id, request, result);
    return postpone(id, { ...request, status: 'queued', call: undefined }, result);
  }

  /** Saves and returns the time of the next attempt. */
  async function postpone(id: string, request: PendingRequest, failure: Failure): Promise<Failure> {
    // An early attempt does not count, so that it does not extend the backoff.
    const isDue = request.failure === undefined || request.retryAtMs <= nowMs();
    const attempts = isDue ? request.attempts : request.attempts - 1;
    const retryAtMs = retryTimeMs(failure, request, attempts, nowMs(), chance());
    const stored = await changePending(id, {
      status: request.call ? 'indeterminate' : 'queued',
      call: request.call,
      failure: failure.code,
      attempts: attempts + 1,
      retryAtMs,
      retryUntilMs: giveUpAtMs(failure, request, retryAtMs),
    });
    return stored ? { ...failure, queued: { id, retryAtMs } } : failure;
  }

  async function settleRequest(
    id: string,
    request: PendingRequest,
    answer: Result<CreatedLink>,
  ): Promise<Result<CreatedLink>> {
    const current = running.get(id);
    if (current) current.settled = answer;
    await settle(id, request, answer, hasCaller(id));
    // Repeating the request returns the link that could not be saved.
    if (answer.ok && answer.data.notSaved) await changePending(id, { status: 'done' });
    else await deletePending(id);
    return answer;
  }

  return { run, hasCaller, prepareCall };
}

/** @returns why it could not be saved */
async function save(
  pending: PendingRequest,
  record: CreatedLinkRecord,
  { link, isErased }: { link: LinkRecord; isErased: () => boolean },
): Promise<FailureCode | undefined> {
  const { origin, request, isPrivate } = pending;
  try {
    // First, and before the request is deleted: until then its URL and time tell.
    if (await mayBeListed(pending)) await hideLink(origin, record.id, isErased);
    // The request is deleted afterwards. If saving fails, repeating it returns the same link.
    await saveIssuedToken(origin, record.newAuthToken, isPrivate, Date.now(), isErased);
    // The saved links are those of the account in use, which may be another one by now.
    const token = record.newAuthToken ?? pending.call?.token;
    const isObsolete = async () =>
      isErased() || (!isPrivate && (await findToken(origin, false)) !== token);
    await saveLink(origin, request.originalUrl, link, isPrivate, isObsolete);
    broadcast({ kind: 'linkCreated' });
    return undefined;
  } catch (error) {
    return failureCodeOf(error);
  }
}

/**
 * Whether the list could show the link of a private window's request, because the account is that of
 * other windows.
 */
export async function mayBeListed({ origin, isPrivate, call }: PendingRequest): Promise<boolean> {
  return isPrivate && call?.token !== undefined && !(await isPrivateToken(origin, call.token));
}

/** Whether a failure means for certain that no call of the request has created a link. */
function isDefinite(failure: ClientFailure, isFirst: boolean): boolean {
  if (failure.code === 'not_curt') return false;
  return isFirst ? isRejected(failure) || isLimited(failure) : CHECKED_AFTER_KEY.has(failure.code);
}
