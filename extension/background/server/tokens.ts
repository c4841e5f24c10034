import { createKeyedMutex } from '../../../shared/keyed-mutex.ts';
import type { Account } from '../../messaging/protocol.ts';
import {
  accountTokens,
  type PreviousToken,
  previousTokens,
  privateTokens,
  unsavedTokens,
} from '../../storage/items.ts';

/** Changes of an origin's tokens go one after the other: each looks first which one it replaces. */
const runExclusive = createKeyedMutex();

/**
 * The token to send to an origin. A private window may use one that is there already; one that was
 * issued in a private window serves private windows only.
 */
export async function findToken(origin: string, isPrivate: boolean): Promise<string | undefined> {
  const queued = (await accountTokens.read())[origin] ?? (await unsavedTokens.read())[origin];
  if (queued || !isPrivate) return queued;
  return (await privateTokens.read())[origin];
}

/**
 * Keeps a token that the origin has just issued, but never over one that is there: it then stands
 * among the former ones, since its account has a link. One for which there was no room is held until
 * the browser ends, and kept with the next link that finds room.
 *
 * @param issued none where the call had a token
 * @throws QuotaExceededError
 */
export function saveIssuedToken(
  origin: string,
  issued: string | undefined,
  isPrivate: boolean,
  nowMs = Date.now(),
): Promise<void> {
  return runExclusive(origin, () => keepIssued(origin, issued, isPrivate, nowMs));
}

async function keepIssued(
  origin: string,
  issued: string | undefined,
  isPrivate: boolean,
  nowMs: number,
): Promise<void> {
  if (isPrivate) {
    if (issued) await privateTokens.update((known) => ({ [origin]: issued, ...known }));
    return;
  }
  if (issued) await unsavedTokens.update((known) => ({ [origin]: issued, ...known }));
  const held = (await unsavedTokens.read())[origin];
  if (!held) return;
  const inUse = (await accountTokens.update((known) => ({ [origin]: held, ...known })))[origin];
  // Another was pasted while the first call was under way, or in doubt.
  if (inUse !== held) {
    const replacedAt = new Date(nowMs).toISOString();
    await updatePrevious(origin, (former) =>
      former.some(({ token }) => token === held)
        ? former
        : [{ token: held, replacedAt }, ...former],
    );
  }
  await clear(origin);
}

/** Lets a token go that its server does not know: it is shown nowhere, so nobody else could. */
export async function dropPrivateToken(origin: string, token: string): Promise<void> {
  await privateTokens.update((all) => {
    const { [origin]: known, ...others } = all;
    return known === token ? others : all;
  });
}

/**
 * Uses another token from now on. The one before is an account that may have links, so it stays
 * among the former ones until the user deletes it.
 */
export function replaceToken(origin: string, token: string, nowMs = Date.now()): Promise<void> {
  return runExclusive(origin, () => replace(origin, token, nowMs));
}

async function replace(origin: string, token: string, nowMs: number): Promise<void> {
  const before = await findToken(origin, false);
  // In this order: stopped in between, a token stands twice, and none is lost.
  if (before && before !== token) {
    const replacedAt = new Date(nowMs).toISOString();
    await updatePrevious(origin, (former) => [
      { token: before, replacedAt },
      ...former.filter((one) => one.token !== before),
    ]);
  }
  await accountTokens.update((known) => ({ ...known, [origin]: token }));
  await updatePrevious(origin, (former) => former.filter((one) => one.token !== token));
  await clear(origin);
}

/** @param replacedAt of a former token; that in use where it is left out */
export async function revealToken(
  origin: string,
  replacedAt: string | undefined,
): Promise<string | undefined> {
  if (!replacedAt) return findToken(origin, false);
  const former = (await previousTokens.read())[origin] ?? [];
  return former.find((one) => one.replacedAt === replacedAt)?.token;
}

/** Uses a former token again; that in use takes its place among the former. */
export function restoreToken(origin: string, replacedAt: string): Promise<void> {
  return runExclusive(origin, async () => {
    const token = await revealToken(origin, replacedAt);
    if (token) await replace(origin, token, Date.now());
  });
}

/** @param replacedAt of a former token; that in use where it is left out */
export function removeToken(origin: string, replacedAt?: string | undefined): Promise<void> {
  return runExclusive(origin, async () => {
    if (replacedAt) {
      await updatePrevious(origin, (former) =>
        former.filter((one) => one.replacedAt !== replacedAt),
      );
      return;
    }
    await accountTokens.update(({ [origin]: _, ...others }) => others);
    await clear(origin);
  });
}

/** Every server with a token, in use or former, by its origin. */
export async function listAccounts(): Promise<Account[]> {
  const inUse = { ...(await unsavedTokens.read()), ...(await accountTokens.read()) };
  const former = await previousTokens.read();
  const origins = [...new Set([...Object.keys(inUse), ...Object.keys(former)])].sort();
  return origins.map((origin) => ({
    origin,
    hasToken: origin in inUse,
    replacedAt: (former[origin] ?? []).map(({ replacedAt }) => replacedAt),
  }));
}

async function updatePrevious(
  origin: string,
  change: (former: PreviousToken[]) => PreviousToken[],
): Promise<void> {
  await previousTokens.update(({ [origin]: former = [], ...others }) => {
    const next = change(former);
    return next.length > 0 ? { ...others, [origin]: next } : others;
  });
}

async function clear(origin: string): Promise<void> {
  if (!(origin in (await unsavedTokens.read()))) return;
  await unsavedTokens.update(({ [origin]: _, ...others }) => others);
}
