import { createKeyedMutex } from '../../../shared/keyed-mutex.ts';
import type { ServerTokens } from '../../messaging/protocol.ts';
import {
  accountTokens,
  type PreviousToken,
  previousTokens,
  privateTokens,
  unsavedTokens,
  watchErasing,
} from '../../storage/items.ts';

/** Changes of an origin's tokens run one at a time, since each reads the token that it replaces. */
const runExclusive = createKeyedMutex();

/**
 * Finds the token to send to an origin. Private windows use the saved token if there is one. A token issued in a
 * private window is used in private windows only.
 */
export async function findToken(origin: string, isPrivate: boolean): Promise<string | undefined> {
  const token = (await accountTokens.read())[origin] ?? (await unsavedTokens.read())[origin];
  if (token || !isPrivate) return token;
  return (await privateTokens.read())[origin];
}

/**
 * Returns the token to call an origin with. What the call returns must not be saved once it is obsolete: the user
 * has erased the data or uses another account.
 */
export async function startCall(origin: string) {
  const isErased = watchErasing();
  const token = await findToken(origin, false);
  const isObsolete = async () => isErased() || (await findToken(origin, false)) !== token;
  return { token, isObsolete };
}

/**
 * Saves a token that the origin has issued. If another is in use by then, it becomes a previous token,
 * since its account has a link. If storage is full, the token stays in memory and is saved with the
 * next link that fits.
 *
 * @param issued undefined if the call had a token
 * @param isErased whether the data has been erased since the call
 * @throws StorageError
 */
export function saveIssuedToken(
  origin: string,
  issued: string | undefined,
  isPrivate: boolean,
  nowMs = Date.now(),
  isErased = watchErasing(),
): Promise<void> {
  return runExclusive(origin, async () => {
    const addIssued = (known: Record<string, string>) =>
      issued ? { [origin]: issued, ...known } : known;
    if (isPrivate) {
      await privateTokens.update(addIssued, isErased);
      return;
    }
    const unsaved = (await unsavedTokens.update(addIssued, isErased))[origin];
    if (!unsaved) return;
    const addUnsaved = (known: Record<string, string>) => ({ [origin]: unsaved, ...known });
    const inUse = (await accountTokens.update(addUnsaved, isErased))[origin];
    // The user pasted another token before the call was settled.
    if (inUse !== unsaved) {
      const replacedAt = new Date(nowMs).toISOString();
      const addPrevious = (previous: PreviousToken[]) =>
        previous.some(({ token }) => token === unsaved)
          ? previous
          : [{ token: unsaved, replacedAt }, ...previous];
      await updatePrevious(origin, addPrevious, isErased);
    }
    await unsavedTokens.deleteEntry(origin);
  });
}

/** Whether a token was issued in a private window, so that other windows don't use its account. */
export async function isPrivateToken(origin: string, token: string): Promise<boolean> {
  return (await privateTokens.read())[origin] === token;
}

/** Deletes a private token that its server rejects. The user cannot: no page shows it. */
export async function dropPrivateToken(origin: string, token: string): Promise<void> {
  await privateTokens.deleteEntry(origin, (known) => known === token);
}

/**
 * Replaces the token in use. It becomes a previous token until the user deletes it, since its account
 * may have links.
 *
 * @param isErased whether the data has been erased since the user gave the token
 */
export function replaceToken(
  origin: string,
  token: string,
  nowMs = Date.now(),
  isErased = watchErasing(),
): Promise<void> {
  return runExclusive(origin, () => replace(origin, token, nowMs, isErased));
}

async function replace(
  origin: string,
  token: string,
  nowMs: number,
  isErased: () => boolean,
): Promise<void> {
  const current = await findToken(origin, false);
  // In this order, so that no token is lost if the worker stops in between.
  if (current && current !== token) {
    const replacedAt = new Date(nowMs).toISOString();
    const addCurrent = (previous: PreviousToken[]) => [
      { token: current, replacedAt },
      ...previous.filter((one) => one.token !== current),
    ];
    await updatePrevious(origin, addCurrent, isErased);
  }
  await accountTokens.update((known) => ({ ...known, [origin]: token }), isErased);
  await updatePrevious(origin, (previous) => previous.filter((one) => one.token !== token));
  await unsavedTokens.deleteEntry(origin);
}

/** @param replacedAt selects a previous token; the token in use if omitted */
export async function revealToken(
  origin: string,
  replacedAt: string | undefined,
): Promise<string | undefined> {
  if (!replacedAt) return findToken(origin, false);
  const previous = (await previousTokens.read())[origin] ?? [];
  return previous.find((one) => one.replacedAt === replacedAt)?.token;
}

/** Uses a previous token again. The token in use becomes a previous token. */
export function restoreToken(origin: string, replacedAt: string): Promise<void> {
  const isErased = watchErasing();
  return runExclusive(origin, async () => {
    const token = await revealToken(origin, replacedAt);
    if (token) await replace(origin, token, Date.now(), isErased);
  });
}

/** @param replacedAt selects a previous token; the token in use if omitted */
export function removeToken(origin: string, replacedAt?: string | undefined): Promise<void> {
  return runExclusive(origin, async () => {
    if (replacedAt) {
      await updatePrevious(origin, (previous) =>
        previous.filter((one) => one.replacedAt !== replacedAt),
      );
      return;
    }
    await accountTokens.deleteEntry(origin);
    await unsavedTokens.deleteEntry(origin);
  });
}

/** Returns the tokens of an address: those that calls use, also in private windows, and the previous ones. */
export async function knownTokens(
  origin: string,
): Promise<{ inUse: readonly string[]; others: readonly string[] }> {
  const inUse = await Promise.all([findToken(origin, false), findToken(origin, true)]);
  const previous = (await previousTokens.read())[origin] ?? [];
  return {
    inUse: [...new Set(inUse.filter((token) => token !== undefined))],
    others: previous.map(({ token }) => token),
  };
}

type TokenMove = {
  /** Those to move. */
  tokens: ReadonlySet<string>;
  nowMs: number;
  isErased: () => boolean;
};

/** Moves tokens to another address of the same server, where the one in use replaces that of another account. */
export function moveTokens(
  from: string,
  to: string,
  { tokens, nowMs, isErased }: TokenMove,
): Promise<void> {
  return runExclusive(from, async () => {
    const inUse = await findToken(from, false);
    const isMoved = ({ token }: PreviousToken) => tokens.has(token);
    const previous = ((await previousTokens.read())[from] ?? []).filter(isMoved);
    // In this order, so that no token is lost if the worker stops in between.
    if (inUse && tokens.has(inUse)) await replaceToken(to, inUse, nowMs, isErased);
    const current = await findToken(to, false);
    await updatePrevious(
      to,
      (known) => {
        const isNew = ({ token }: PreviousToken) =>
          token !== current && known.every((one) => one.token !== token);
        return [...known, ...previous.filter(isNew)];
      },
      isErased,
    );
    await privateTokens.update(
      ({ [from]: token, ...others }) => ({
        ...(token && { [tokens.has(token) ? to : from]: token }),
        ...others,
      }),
      isErased,
    );
    await updatePrevious(from, (known) => known.filter((one) => !isMoved(one)), isErased);
    for (const item of [accountTokens, unsavedTokens]) {
      await item.deleteEntry(from, (token) => tokens.has(token));
    }
  });
}

/** Lists all servers with a token, in use or previous, sorted by origin. */
export async function listServers(): Promise<ServerTokens[]> {
  const inUse = { ...(await unsavedTokens.read()), ...(await accountTokens.read()) };
  const previous = await previousTokens.read();
  const origins = [...new Set([...Object.keys(inUse), ...Object.keys(previous)])].sort();
  return origins.map((origin) => ({
    origin,
    hasToken: origin in inUse,
    replacedAt: (previous[origin] ?? []).map(({ replacedAt }) => replacedAt),
  }));
}

async function updatePrevious(
  origin: string,
  change: (previous: PreviousToken[]) => PreviousToken[],
  isErased?: () => boolean,
): Promise<void> {
  await previousTokens.update(({ [origin]: previous = [], ...others }) => {
    const next = change(previous);
    return next.length > 0 ? { ...others, [origin]: next } : others;
  }, isErased);
}
