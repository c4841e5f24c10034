import { IDEMPOTENCY_WINDOW_MS } from '../../../shared/limits.ts';
import type { ShortenRequest } from '../../../shared/shorten-request.ts';
import type { QueuedRequest } from '../../messaging/protocol.ts';
import { type PendingRequest, pendingRequests, sessionRequests } from '../../storage/items.ts';
import { QuotaExceededError } from '../../storage/quota.ts';
import { readPending } from './read-pending.ts';
import { planRetries } from './retry-alarm.ts';

export type NewLink = {
  /** Origin of the server. */
  origin: string;
  request: ShortenRequest;
  /** From a private window: nothing of it may reach the disk. */
  isPrivate: boolean;
  /** Of the page, to call the link by where it has none; the server is not told. */
  title?: string | undefined;
  /** A link that the address has by now will do: it had none when it was looked up. */
  reuseExisting?: boolean | undefined;
  /** Of the message that asks for it: one that comes twice is one ask. */
  requestId?: string | undefined;
};
export type Call = NonNullable<PendingRequest['call']>;
export type PendingEntry = [id: string, pending: PendingRequest];

/** Of one server and kind of window. */
export const QUEUE_LIMIT = 100;
/** A call takes its time: the server must still know the key when it arrives. */
const REPEATABLE_MS = IDEMPOTENCY_WINDOW_MS - 60_000;
/** How long a wish is tried of which it is certain that no link was made. */
export const RETRY_WINDOW_MS = 7 * 24 * 60 * 60_000;
/** By then an attempt has ended, or its worker was stopped in the middle. */
const ATTEMPT_MS = 60_000;

/**
 * Two wishes are one when the same body goes to the same server from the same kind of window. The
 * order of its fields does not count: Chromium's storage sorts them.
 */
export async function pendingId({ origin, request, isPrivate }: NewLink): Promise<string> {
  const fields = Object.entries(request).filter(([, value]) => value !== undefined);
  const text = JSON.stringify([origin, isPrivate, fields.sort()]);
  // A digest, since the request may hold a password, and ids go about.
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Wishes that meet the same server with the same account. */
export function groupOf({ origin, isPrivate }: Pick<NewLink, 'origin' | 'isPrivate'>): string {
  return `${origin} ${isPrivate}`;
}

/** All of them, the oldest first. */
export async function listPending(): Promise<PendingEntry[]> {
  return Object.entries(await readPending()).sort(
    ([, one], [, other]) => one.requestedAtMs - other.requestedAtMs,
  );
}

export async function findPending(id: string): Promise<PendingRequest | undefined> {
  return (await readPending())[id];
}

/** Those that pages show: what is under way for the first time is not among them. */
export async function listQueued(isPrivate: boolean): Promise<QueuedRequest[]> {
  return (await listPending()).flatMap(([id, pending]) => {
    const { origin, request, failure, retryAtMs, status } = pending;
    if (!failure || status === 'done' || pending.isPrivate !== isPrivate) return [];
    return [{ id, serverOrigin: origin, address: request.originalUrl, failure, retryAtMs }];
  });
}

/** A first, anonymous call whose answer never came: it may have opened the account. */
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

/**
 * Remembers what somebody asks for now, before its first call. To be followed by `planRetries`.
 *
 * @returns false where as many wait as are kept, and then has kept nothing
 */
export async function savePending(id: string, pending: NewLink, nowMs: number): Promise<boolean> {
  const requests = await readPending();
  const asked = {
    title: pending.title,
    requestId: pending.requestId,
    requestedAtMs: uniqueTime(requests, nowMs),
  };
  if (requests[id]) {
    await changePending(id, { ...asked, retryUntilMs: nowMs + RETRY_WINDOW_MS });
    return true;
  }
  const group = Object.values(requests).filter(
    (one) => one.status !== 'done' && groupOf(one) === groupOf(pending),
  );
  if (group.length >= QUEUE_LIMIT) return false;
  const { origin, request, isPrivate } = pending;
  const times = { retryAtMs: nowMs + ATTEMPT_MS, retryUntilMs: nowMs + RETRY_WINDOW_MS };
  await write(id, {
    status: 'queued',
    origin,
    request,
    isPrivate,
    ...asked,
    attempts: 0,
    ...times,
  });
  return true;
}

/** Those of one millisecond are told apart as well: which came first is known by this alone. */
function uniqueTime(requests: Record<string, PendingRequest>, nowMs: number): number {
  const taken = new Set(Object.values(requests).map(({ requestedAtMs }) => requestedAtMs));
  let time = nowMs;
  while (taken.has(time)) time += 1;
  return time;
}

/**
 * Notes the call before it is sent: from now on there may be a link.
 *
 * @param newCall takes the place of one that the server no longer knows, and of none
 * @returns the request with the call to send; nothing where it is gone meanwhile
 */
export async function startSending(
  id: string,
  newCall: Call,
): Promise<(PendingRequest & { call: Call }) | undefined> {
  const before = await findPending(id);
  const call = isRepeatable(before?.call, newCall.startedAtMs) ? before.call : newCall;
  const request = await changePending(id, { status: 'sending', call });
  return request && { ...request, call };
}

/** @returns the wish as it is now; nothing where it is gone meanwhile */
export async function changePending(
  id: string,
  change: Partial<PendingRequest>,
): Promise<PendingRequest | undefined> {
  const item = id in (await sessionRequests.read()) ? sessionRequests : pendingRequests;
  let changed: PendingRequest | undefined;
  const apply = (requests: Record<string, PendingRequest>) => {
    const before = requests[id];
    changed = before && { ...before, ...change };
    return changed ? { ...requests, [id]: changed } : requests;
  };
  try {
    await item.update(apply);
  } catch (error) {
    if (!changed || !(error instanceof QuotaExceededError)) throw error;
    await saveInSession(id, changed);
  }
  if (change.retryAtMs !== undefined) await planRetries();
  return changed;
}

export async function deletePending(id: string): Promise<void> {
  const deleteIn = async (item: typeof pendingRequests) => {
    if (id in (await item.read())) await item.update(({ [id]: _, ...others }) => others);
  };
  await Promise.all([pendingRequests, sessionRequests].map(deleteIn));
  await planRetries();
}

/** Later the server has forgotten the key, and a repeated call would make a second link. */
export function isRepeatable(call: Call | undefined, nowMs: number): call is Call {
  return call !== undefined && nowMs < repeatableUntilMs(call);
}

export function repeatableUntilMs({ startedAtMs }: Call): number {
  return startedAtMs + REPEATABLE_MS;
}

/** On the disk where it may and can be, else in memory alone. */
async function write(id: string, pending: PendingRequest): Promise<void> {
  if (pending.isPrivate) return saveInSession(id, pending);
  try {
    await pendingRequests.update((others) => ({ ...others, [id]: pending }));
  } catch (error) {
    // Full storage is no reason to make no link.
    if (!(error instanceof QuotaExceededError)) throw error;
    await saveInSession(id, pending);
  }
}

async function saveInSession(id: string, pending: PendingRequest): Promise<void> {
  await sessionRequests.update((others) => ({ ...others, [id]: pending }));
}
