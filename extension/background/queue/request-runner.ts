import type { Client, Failure as ClientFailure } from '../../../shared/client.ts';
import { createKeyedMutex } from '../../../shared/keyed-mutex.ts';
import type { LinkRecord } from '../../../shared/link-record.ts';
import type { LinkSummary } from '../../links/link.ts';
import type { Failure, FailureCode, ShortenResult } from '../../messaging/protocol.ts';
import type { PendingRequest } from '../../storage/items.ts';
import { watchErasing } from '../data/erase.ts';
import { findLinks, saveLink, selectReusable, toLinkSummary } from '../links/link-store.ts';
import { dropPrivateToken, findToken, saveIssuedToken } from '../server/tokens.ts';
import { invalidateServer, verifyServer } from '../server/verify-server.ts';
import { failureCodeOf } from '../to-failure.ts';
import {
  type Call,
  changePending,
  deletePending,
  findPending,
  findUnsettledCall,
  groupOf,
  isRepeatable,
  startSending,
} from './pending-requests.ts';
import { isAway, isLimited, retryTimeMs, retryUntilMs } from './retry-policy.ts';

export type RunnerOptions = {
  /** The client of a server; the network is its alone. */
  clientOf: (origin: string) => Client;
  /** @default crypto.randomUUID */
  newKey?: () => string;
  /** @default Date.now */
  nowMs?: () => number;
  /** From 0 to 1. @default Math.random */
  chance?: () => number;
};

export type RunOptions = {
  /** Somebody waits for the answer. @default false */
  hasCaller?: boolean;
  /** A plain link that the address has by now will do. @default false */
  reuseExisting?: boolean | undefined;
};

export type Settle = (
  id: string,
  request: PendingRequest,
  answer: ShortenResult,
  hasCaller: boolean,
) => Promise<void>;

export type Runner = ReturnType<typeof createRunner>;

/** Under way in this worker. */
type Run = {
  answer: Promise<ShortenResult>;
  hasCaller: boolean;
  /** How another run has settled it that had to do so first. */
  settled?: ShortenResult;
};

/** Somebody has dropped the request while it waited for its turn. */
const CANCELLED: Failure = { ok: false, code: 'extension_failed' };

const AWAY = new Set<ClientFailure['code']>([
  'unreachable',
  'timeout',
  'gateway_error',
  'redirected',
  'not_curt',
]);

/**
 * Sends stored requests so that nothing happens twice:
 * - a request that is under way is not sent a second time;
 * - while no token is known for a server, calls to it go one after the other, so that the first
 *   opens the only account and the others find its token;
 * - a request whose call ended without a clear answer is repeated with its first key and credentials.
 *
 * A run takes a request from `queued` or `indeterminate` by `sending` to its end, or back to one of
 * them with a time for the next attempt. It ends with a link, or with a failure that another attempt
 * would meet as well.
 *
 * @param settle is called with how a request ended before it is removed. A worker that is stopped in
 * between lets it end, and be reported, once more.
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

  /** Sends a stored request, or joins the run that does so already. */
  function run(id: string, { hasCaller = false, reuseExisting }: RunOptions = {}) {
    const current = running.get(id);
    if (current) {
      current.hasCaller ||= hasCaller;
      return current.answer;
    }
    const answer = attempt(id, reuseExisting).finally(() => running.delete(id));
    running.set(id, { answer, hasCaller });
    return answer;
  }

  const hasCaller = (id: string) => running.get(id)?.hasCaller ?? false;
  const cancelled = (id: string) => running.get(id)?.settled ?? CANCELLED;

  async function attempt(id: string, reuseExisting = false): Promise<ShortenResult> {
    const request = await findPending(id);
    if (!request) return cancelled(id);
    const { origin, isPrivate } = request;
    const existing = reuseExisting && !request.call && (await findReusable(request));
    if (existing) {
      await deletePending(id);
      return { ok: true, data: existing };
    }
    const known = await verifyServer(origin, clientOf(origin));
    const call = isRepeatable(request.call, nowMs()) ? request.call : undefined;
    if (!known.ok) {
      if (call || isAway(known) || isLimited(known)) return postpone(id, request, known);
      // Nothing was sent, and nothing will be: Curt neither stands there nor is it away.
      return end(id, request, known);
    }
    const token = call ? call.token : await findToken(origin, isPrivate);
    if (token) return sendAs(id, token);
    return runExclusive(groupOf(request), () => sendInTurn(id, request));
  }

  async function sendInTurn(
    id: string,
    { origin, isPrivate }: PendingRequest,
  ): Promise<ShortenResult> {
    const token = await findToken(origin, isPrivate);
    const unsettled = token ? undefined : await findUnsettledCall(origin, isPrivate, nowMs());
    if (unsettled && unsettled[0] !== id) {
      // Another anonymous call could open a second account: settle the first one before.
      const [otherId] = unsettled;
      const answer = await sendAs(otherId, undefined);
      const [request, other] = await Promise.all([findPending(id), findPending(otherId)]);
      if (!answer.ok && other?.call && request && !request.call) {
        const { queued: _, ...failure } = answer;
        return postpone(id, request, failure);
      }
    }
    return sendAs(id, await findToken(origin, isPrivate));
  }

  /** @param token for a new call; one that is repeated keeps its own */
  async function sendAs(id: string, token: string | undefined): Promise<ShortenResult> {
    const newCall: Call = {
      ...(token && { token }),
      idempotencyKey: newKey(),
      startedAtMs: nowMs(),
    };
    const request = await startSending(id, newCall);
    if (!request) return cancelled(id);
    const { origin, call } = request;
    const isErased = watchErasing();
    const result = await clientOf(origin).shorten(request.request, {
      token: call.token,
      idempotencyKey: call.idempotencyKey,
    });
    if (result.ok) {
      const data = toLinkSummary(result.data, request.request, request.title);
      const made = { ...result, data };
      const notSaved = await save(request, result.data, data, isErased);
      // Whoever asked is given the link, and nothing is left of it here.
      if (isErased()) return made;
      return end(id, request, notSaved ? { ...made, notSaved } : made);
    }
    // An unclear answer is in doubt, so the next call first asks whether Curt is there at all.
    if (AWAY.has(result.code)) await invalidateServer(origin);
    if (result.code === 'invalid_token' && call.token) await dropPrivateToken(origin, call.token);
    const isFirst = call.idempotencyKey === newCall.idempotencyKey;
    if (!isDefinite(result, isFirst)) return postpone(id, request, result);
    if (result.status !== 429) return end(id, request, result);
    return postpone(id, { ...request, status: 'queued', call: undefined }, result);
  }

  /** Stores when to try again, and says so. */
  async function postpone(id: string, request: PendingRequest, failure: Failure): Promise<Failure> {
    // An attempt before its time is one more, and no reason to wait longer.
    const isDue = request.failure === undefined || request.retryAtMs <= nowMs();
    const attempts = isDue ? request.attempts : request.attempts - 1;
    const retryAtMs = retryTimeMs(failure, request, attempts, nowMs(), chance());
    const stored = await changePending(id, {
      status: request.call ? 'indeterminate' : 'queued',
      call: request.call,
      failure: failure.code,
      attempts: attempts + 1,
      retryAtMs,
      retryUntilMs: retryUntilMs(failure, request, retryAtMs),
    });
    return stored ? { ...failure, queued: { id, retryAtMs } } : failure;
  }

  async function end(
    id: string,
    request: PendingRequest,
    answer: ShortenResult,
  ): Promise<ShortenResult> {
    const current = running.get(id);
    if (current) current.settled = answer;
    await settle(id, request, answer, hasCaller(id));
    // A link that is not saved is found again by the repetition of its request.
    if (answer.ok && answer.notSaved) await changePending(id, { status: 'done' });
    else await deletePending(id);
    return answer;
  }

  /** Looked up now, since another request may have ended since the popup was opened. */
  async function findReusable(pending: PendingRequest): Promise<LinkSummary | undefined> {
    const { origin, request, isPrivate } = pending;
    return selectReusable(await findLinks(origin, request.originalUrl, isPrivate, nowMs()));
  }

  return { run, hasCaller };
}

/** @returns why there was no way to save it */
async function save(
  { origin, request, isPrivate }: PendingRequest,
  record: LinkRecord,
  link: LinkSummary,
  isErased: () => boolean,
): Promise<FailureCode | undefined> {
  try {
    // In this order: if saving fails, the request is still there and its repetition gets the same.
    if (!isErased()) await saveIssuedToken(origin, record.newAuthToken, isPrivate);
    if (!isErased()) await saveLink(origin, request.originalUrl, link, isPrivate);
    return undefined;
  } catch (error) {
    return failureCodeOf(error);
  }
}

/** Whether a failure says for certain that no call of the request has made, or will make, a link. */
function isDefinite({ status = 0, code }: ClientFailure, isFirst: boolean): boolean {
  if (code === 'not_curt' || status < 400 || status >= 500) return false;
  // The rate limit comes before the key is looked at: it says nothing of the calls before.
  return code !== 'rate_limited' || isFirst;
}
