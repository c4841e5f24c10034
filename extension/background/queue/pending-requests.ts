import { browser } from 'wxt/browser';
import { IDEMPOTENCY_WINDOW_MS } from '../../../shared/bounds.ts';
import { createKeyedMutex } from '../../../shared/keyed-mutex.ts';
import type { ShortenRequest } from '../../../shared/links/shorten-request.ts';
import type { QueuedRequest } from '../../messaging/protocol.ts';
import { type PendingRequest, pendingRequests, sessionRequests } from '../../storage/items.ts';
import { StorageError } from '../../storage/stored-area.ts';
import { toHex } from '../data/encode-bytes.ts';

export type NewLink = {
  /** Origin of the server. */
  origin: string;
  request: ShortenRequest;
  /** Whether it comes from a private window. If so, nothing of it may be written to disk. */
  isPrivate: boolean;
  /** Identifies the message, which may be repeated if its response gets lost. */
  requestId?: string | undefined;
};
export type Call = NonNullable<PendingRequest['call']>;
type PendingEntry = [id: string, pending: PendingRequest];

/** Per server and kind of window. */
export const QUEUE_LIMIT = 100;
/** A call must reach the server before its idempotency key expires. */
const REPEATABLE_MS = IDEMPOTENCY_WINDOW_MS - 60_000;
/** How long to retry a request that has certainly not created a link. */
export const RETRY_WINDOW_MS = 7 * 24 * 60 * 60_000;
/** An attempt takes less. If it is still pending by then, its worker was stopped. */
const ATTEMPT_MS = 60_000;

/**
 * Requests with the same body, server and kind of window have the same id. The order of the fields
 * does not matter, because Chromium's storage sorts them.
 */
export async function pendingId({ origin, request, isPrivate }: NewLink): Promise<string> {
  const fields = Object.entries(request).filter(([, value]) => value !== undefined);
  const text = JSON.stringify([origin, isPrivate, fields.sort()]);
  // Hashed, because the request may contain a password and pages see the id.
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return toHex(digest);
}

/** Requests of a group use the same server and account. */
export function groupOf({ origin, isPrivate }: Pick<NewLink, 'origin' | 'isPrivate'>): string {
  return `${origin} ${isPrivate}`;
}

/** Lists all pending requests, oldest first. */
export async function listPending(): Promise<PendingEntry[]> {
  return Object.entries(await readPending()).sort(
    ([, one], [, other]) => one.requestedAtMs - other.requestedAtMs,
  );
}

export async function findPending(id: string): Promise<PendingRequest | undefined> {
  return (await readPending())[id];
}

/** Lists the requests that pages show as queued. A request in its first attempt is not among them. */
export async function listQueued(isPrivate: boolean): Promise<QueuedRequest[]> {
  return (await listPending()).flatMap(([id, pending]) => {
    const { origin, request, failure, retryAtMs } = pending;
    if (!failure || !isOpen(pending) || pending.isPrivate !== isPrivate) return [];
    return [{ id, serverOrigin: origin, url: request.originalUrl, failure, retryAtMs }];
  });
}

/** Finds an anonymous call without a response. It may have created an account. */
export async function findUnsettledCall(
  origin: string,
  isPrivate: boolean,
  nowMs: number,
): Promise<PendingEntry | undefined> {
  return (await listPending()).find(
    ([, pending]) =>
      pending.origin === origin &&
      pending.isPrivate === isPrivate &&
      isRepeatable(pending.call, nowMs) &&
      pending.call.token === undefined,
  );
}

/** Requests of private windows that may have created a link whose ID is unknown, oldest first. */
export async function listPrivateCalls(origin: string): Promise<PendingEntry[]> {
  return (await listPending()).filter(
    ([, { origin: server, isPrivate, call, isDiscarded }]) =>
      server === origin && isPrivate && (call !== undefined || isDiscarded),
  );
}

/**
 * Saves a request before its first call. Call `planRetries` afterwards.
 *
 * @param call the first call, if it is certain by now. It must be sent only if this has saved it
 * @returns false if the queue is full; nothing is saved then
 */
export async function savePending(
  id: string,
  pending: NewLink,
  nowMs: number,
  call?: Call,
): Promise<boolean> {
  const requests = await readPending();
  const latest = {
    requestId: pending.requestId,
    isDiscarded: undefined,
    requestedAtMs: uniqueTime(requests, nowMs),
  };
  if (requests[id]) {
    await changePending(id, { ...latest, retryUntilMs: nowMs + RETRY_WINDOW_MS });
    return true;
  }
  const group = Object.values(requests).filter(
    (one) => isOpen(one) && groupOf(one) === groupOf(pending),
  );
  if (group.length >= QUEUE_LIMIT) return false;
  const { origin, request, isPrivate } = pending;
  const times = { retryAtMs: nowMs + ATTEMPT_MS, retryUntilMs: nowMs + RETRY_WINDOW_MS };
  await write(id, {
    status: call ? 'sending' : 'queued',
    origin,
    request,
    isPrivate,
    ...latest,
    call,
    attempts: 0,
    ...times,
  });
  return true;
}

/** The time alone determines the order, so each request gets a unique one. */
function uniqueTime(requests: Record<string, PendingRequest>, nowMs: number): number {
  const taken = new Set(Object.values(requests).map(({ requestedAtMs }) => requestedAtMs));
  let time = nowMs;
  while (taken.has(time)) time += 1;
  return time;
}

/**
 * Saves the call before it is sent, since it may create a link from then on.
 *
 * @param newCall replaces a call whose key has expired
 * @returns the request with the call to send; undefined if it has been deleted or discarded
 */
export async function startSending(
  id: string,
  newCall: Call,
): Promise<(PendingRequest & { call: Call }) | undefined> {
  const saved = await findPending(id);
  if (saved && isCall(saved, newCall)) {
    return saved.isDiscarded ? undefined : { ...saved, call: newCall };
  }
  let call = newCall;
  const request = await changePending(id, (before) => {
    if (isRepeatable(before.call, newCall.startedAtMs)) call = before.call;
    return before.isDiscarded ? undefined : { status: 'sending', call };
  });
  return request && { ...request, call };
}

/** Whether this is the call of the request. */
export function isCall({ call }: PendingRequest, other: Call | undefined): boolean {
  return call !== undefined && call.idempotencyKey === other?.idempotencyKey;
}

/**
 * @param change a function may return undefined to leave the request as it is
 * @returns the changed request; undefined if it has been deleted or left as it is
 */
export async function changePending(
  id: string,
  change:
    | Partial<PendingRequest>
    | ((before: PendingRequest) => Partial<PendingRequest> | undefined),
): Promise<PendingRequest | undefined> {
  const item = id in (await sessionRequests.read()) ? sessionRequests : pendingRequests;
  let changed: PendingRequest | undefined;
  const apply = (requests: Record<string, PendingRequest>) => {
    const before = requests[id];
    const changes = before && (typeof change === 'function' ? change(before) : change);
    changed = changes && { ...before, ...changes };
    return changed ? { ...requests, [id]: changed } : requests;
  };
  try {
    await item.update(apply);
  } catch (error) {
    if (!changed || !(error instanceof StorageError)) throw error;
    // Without its call, the one on disk would be sent again with a new key after a restart.
    await pendingRequests.deleteEntry(id);
    await saveInSession(id, changed);
  }
  if ('retryAtMs' in change) await planRetries();
  return changed;
}

export async function deletePending(id: string): Promise<void> {
  await Promise.all([pendingRequests, sessionRequests].map((item) => item.deleteEntry(id)));
  await planRetries();
}

/**
 * Takes the requests of an address along to another one of the same server, to be sent at once. A call keeps its key,
 * so that it creates no second link. What was sent with an unknown token stays.
 */
export async function movePending(
  from: string,
  to: string,
  { tokens, nowMs }: { tokens: ReadonlySet<string>; nowMs: number },
): Promise<void> {
  for (const [id, pending] of await listPending()) {
    const { origin, call } = pending;
    if (origin !== from || (call?.token !== undefined && !tokens.has(call.token))) continue;
    const moved = { ...pending, origin: to };
    const newId = await pendingId(moved);
    const there = await findPending(newId);
    if (!there || (call && !there.call)) await write(newId, { ...moved, retryAtMs: nowMs });
    await deletePending(id);
  }
}

/** Once the key has expired, repeating the call would create a second link. */
export function isRepeatable(call: Call | undefined, nowMs: number): call is Call {
  return call !== undefined && nowMs < repeatableUntilMs(call);
}

export function repeatableUntilMs({ startedAtMs }: Call): number {
  return startedAtMs + REPEATABLE_MS;
}

/** Writes to disk if allowed and possible, otherwise to memory. */
async function write(id: string, pending: PendingRequest): Promise<void> {
  if (pending.isPrivate) return saveInSession(id, pending);
  try {
    await pendingRequests.update((others) => ({ ...others, [id]: pending }));
  } catch (error) {
    // A full disk must not prevent a link.
    if (!(error instanceof StorageError)) throw error;
    await saveInSession(id, pending);
  }
}

async function saveInSession(id: string, pending: PendingRequest): Promise<void> {
  await sessionRequests.update((others) => ({ ...others, [id]: pending }));
}

/** All pending requests by id, from disk and memory. */
async function readPending(): Promise<Record<string, PendingRequest>> {
  const [onDisk, inMemory] = await Promise.all([pendingRequests.read(), sessionRequests.read()]);
  return { ...onDisk, ...inMemory };
}

/** Whether the request is still to be sent. */
export function isOpen({ status, isDiscarded }: PendingRequest): boolean {
  return status !== 'done' && !isDiscarded;
}

export const RETRY_ALARM = 'retry-requests';

/** Firefox fires a past alarm immediately, and an attempt may take longer than planned. */
const MIN_DELAY_MS = 5000;

const runExclusive = createKeyedMutex();

/** Sets one alarm for the earliest retry. Browsers may clear alarms on exit, so call it at each start. */
export function planRetries(minDelayMs = MIN_DELAY_MS): Promise<void> {
  return runExclusive('', async () => {
    const open = Object.values(await readPending()).filter(isOpen);
    const times = open.map(({ retryAtMs }) => retryAtMs);
    if (times.length === 0) await browser.alarms.clear(RETRY_ALARM);
    else {
      const when = Math.max(Math.min(...times), Date.now() + minDelayMs);
      await browser.alarms.create(RETRY_ALARM, { when });
    }
  });
}
