import { IDEMPOTENCY_WINDOW_MS } from '../../shared/limits.ts';
import type { ShortenRequest } from '../../shared/shorten-request.ts';
import { type PendingWish, pendingWishes } from '../storage.ts';

export type Wish = {
  /** Origin of the server. */
  origin: string;
  request: ShortenRequest;
  /** From a private window: nothing of it may reach the disk. */
  isPrivate: boolean;
  /** Of the page, to call the link by where it has none; the server is not told. */
  title?: string | undefined;
};

/** Two wishes are one when the same body goes to the same server from the same kind of window. */
export function wishId({ origin, request, isPrivate }: Wish): string {
  return `${origin} ${isPrivate ? 'private' : 'normal'} ${JSON.stringify(request)}`;
}

export async function findPending(id: string, nowMs: number): Promise<PendingWish | undefined> {
  const wish = (await pendingWishes.read())[id];
  return wish && isRepeatable(wish, nowMs) ? wish : undefined;
}

/** A first, anonymous call whose answer never came: it may have opened the account. */
export async function findUnsettledAccount(
  origin: string,
  isPrivate: boolean,
  nowMs: number,
): Promise<[id: string, wish: PendingWish] | undefined> {
  return Object.entries(await pendingWishes.read()).find(
    ([, wish]) =>
      wish.origin === origin &&
      wish.isPrivate === isPrivate &&
      wish.token === undefined &&
      isRepeatable(wish, nowMs),
  );
}

/** Remembers a wish before its first call. */
export async function startWish(id: string, wish: PendingWish): Promise<PendingWish> {
  await pendingWishes.update((others) => ({
    ...Object.fromEntries(
      Object.entries(others).filter(([, other]) => isRepeatable(other, wish.startedAtMs)),
    ),
    [id]: wish,
  }));
  return wish;
}

export async function markInDoubt(id: string): Promise<void> {
  await pendingWishes.update((wishes) =>
    wishes[id] ? { ...wishes, [id]: { ...wishes[id], isInDoubt: true } } : wishes,
  );
}

export async function forgetWish(id: string): Promise<void> {
  await pendingWishes.update(({ [id]: _, ...others }) => others);
}

/** Later the server has forgotten the key, and a repeated call would make a second link. */
function isRepeatable({ startedAtMs }: PendingWish, nowMs: number): boolean {
  return nowMs - startedAtMs < IDEMPOTENCY_WINDOW_MS;
}
