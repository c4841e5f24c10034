import { IDEMPOTENCY_WINDOW_MS } from '../../../shared/limits.ts';
import type { ShortenRequest } from '../../../shared/shorten-request.ts';
import type { WaitingWish } from '../../messaging/protocol.ts';
import { type PendingWish, pendingWishes, sessionWishes } from '../../storage/items.ts';
import { StorageFull } from '../../storage/quota.ts';
import { readWishes } from './read-pending.ts';
import { planRetries } from './retry-alarm.ts';

export type Wish = {
  /** Origin of the server. */
  origin: string;
  request: ShortenRequest;
  /** From a private window: nothing of it may reach the disk. */
  isPrivate: boolean;
  /** Of the page, to call the link by where it has none; the server is not told. */
  title?: string | undefined;
  /** A link that the address has by now will do: it had none when it was looked up. */
  takesMade?: boolean | undefined;
  /** Of the message that asks for it: one that comes twice is one ask. */
  askId?: string | undefined;
};
export type Call = NonNullable<PendingWish['call']>;
export type WishEntry = [id: string, wish: PendingWish];

/** Of one server and kind of window. */
export const WISHES_MAX = 100;
/** A call takes its time: the server must still know the key when it arrives. */
const REPEATABLE_MS = IDEMPOTENCY_WINDOW_MS - 60_000;
/** How long a wish is tried of which it is certain that no link was made. */
export const TRIED_MS = 7 * 24 * 60 * 60_000;
/** By then an attempt has ended, or its worker was stopped in the middle. */
const ATTEMPT_MS = 60_000;

/**
 * Two wishes are one when the same body goes to the same server from the same kind of window. The
 * order of its fields does not count: Chromium's storage sorts them.
 */
export async function wishId({ origin, request, isPrivate }: Wish): Promise<string> {
  const fields = Object.entries(request).filter(([, value]) => value !== undefined);
  const text = JSON.stringify([origin, isPrivate, fields.sort()]);
  // A digest, since the request may hold a password, and ids go about.
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Wishes that meet the same server with the same account. */
export function groupOf({ origin, isPrivate }: Pick<Wish, 'origin' | 'isPrivate'>): string {
  return `${origin} ${isPrivate}`;
}

/** All of them, the oldest first. */
export async function listWishes(): Promise<WishEntry[]> {
  return Object.entries(await readWishes()).sort(
    ([, one], [, other]) => one.wishedAtMs - other.wishedAtMs,
  );
}

export async function findWish(id: string): Promise<PendingWish | undefined> {
  return (await readWishes())[id];
}

/** Those that pages show: what is under way for the first time is not among them. */
export async function listWaiting(isPrivate: boolean): Promise<WaitingWish[]> {
  return (await listWishes()).flatMap(([id, wish]) => {
    const { origin, request, failure, retryAtMs, status } = wish;
    if (!failure || status === 'done' || wish.isPrivate !== isPrivate) return [];
    return [{ id, serverOrigin: origin, address: request.originalUrl, failure, retryAtMs }];
  });
}

/** A first, anonymous call whose answer never came: it may have opened the account. */
export async function findUnsettledAccount(
  origin: string,
  isPrivate: boolean,
  nowMs: number,
): Promise<WishEntry | undefined> {
  return (await listWishes()).find(
    ([, wish]) =>
      wish.origin === origin &&
      wish.isPrivate === isPrivate &&
      isRepeatable(wish.call, nowMs) &&
      wish.call.token === undefined,
  );
}

/**
 * Remembers what somebody asks for now, before its first call. To be followed by `planRetries`.
 *
 * @returns false where as many wait as are kept, and then has kept nothing
 */
export async function keepWish(id: string, wish: Wish, nowMs: number): Promise<boolean> {
  const wishes = await readWishes();
  const asked = { title: wish.title, askId: wish.askId, wishedAtMs: freeTime(wishes, nowMs) };
  if (wishes[id]) {
    await changeWish(id, { ...asked, triedUntilMs: nowMs + TRIED_MS });
    return true;
  }
  const group = Object.values(wishes).filter(
    (one) => one.status !== 'done' && groupOf(one) === groupOf(wish),
  );
  if (group.length >= WISHES_MAX) return false;
  const { origin, request, isPrivate } = wish;
  const times = { retryAtMs: nowMs + ATTEMPT_MS, triedUntilMs: nowMs + TRIED_MS };
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
function freeTime(wishes: Record<string, PendingWish>, nowMs: number): number {
  const taken = new Set(Object.values(wishes).map(({ wishedAtMs }) => wishedAtMs));
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
): Promise<(PendingWish & { call: Call }) | undefined> {
  const before = await findWish(id);
  const call = isRepeatable(before?.call, newCall.startedAtMs) ? before.call : newCall;
  const request = await changeWish(id, { status: 'sending', call });
  return request && { ...request, call };
}

/** @returns the wish as it is now; nothing where it is gone meanwhile */
export async function changeWish(
  id: string,
  change: Partial<PendingWish>,
): Promise<PendingWish | undefined> {
  const item = id in (await sessionWishes.read()) ? sessionWishes : pendingWishes;
  let changed: PendingWish | undefined;
  const apply = (wishes: Record<string, PendingWish>) => {
    const before = wishes[id];
    changed = before && { ...before, ...change };
    return changed ? { ...wishes, [id]: changed } : wishes;
  };
  try {
    await item.update(apply);
  } catch (error) {
    if (!changed || !(error instanceof StorageFull)) throw error;
    await keepInSession(id, changed);
  }
  if (change.retryAtMs !== undefined) await planRetries();
  return changed;
}

export async function forgetWish(id: string): Promise<void> {
  const forgetIn = async (item: typeof pendingWishes) => {
    if (id in (await item.read())) await item.update(({ [id]: _, ...others }) => others);
  };
  await Promise.all([pendingWishes, sessionWishes].map(forgetIn));
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
async function write(id: string, wish: PendingWish): Promise<void> {
  if (wish.isPrivate) return keepInSession(id, wish);
  try {
    await pendingWishes.update((others) => ({ ...others, [id]: wish }));
  } catch (error) {
    // Full storage is no reason to make no link.
    if (!(error instanceof StorageFull)) throw error;
    await keepInSession(id, wish);
  }
}

async function keepInSession(id: string, wish: PendingWish): Promise<void> {
  await sessionWishes.update((others) => ({ ...others, [id]: wish }));
}
