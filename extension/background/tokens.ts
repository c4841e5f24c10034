import { accountTokens, heldTokens, privateTokens } from '../storage.ts';

/**
 * The token to send to an origin. A private window may use one that is there already; one that was
 * issued in a private window serves private windows only.
 */
export async function findToken(origin: string, isPrivate: boolean): Promise<string | undefined> {
  const kept = (await accountTokens.read())[origin] ?? (await heldTokens.read())[origin];
  if (kept || !isPrivate) return kept;
  return (await privateTokens.read())[origin];
}

/**
 * Keeps a token that the origin has just issued, but never over one that is there. One for which
 * there was no room is held until the browser ends, and kept with the next link that finds room.
 *
 * @param issued none where the call had a token
 * @throws StorageFull
 */
export async function keepIssuedToken(
  origin: string,
  issued: string | undefined,
  isPrivate: boolean,
): Promise<void> {
  if (isPrivate) {
    if (issued) await privateTokens.update((known) => ({ [origin]: issued, ...known }));
    return;
  }
  if (issued) await heldTokens.update((known) => ({ [origin]: issued, ...known }));
  const held = (await heldTokens.read())[origin];
  if (!held) return;
  await accountTokens.update((known) => ({ [origin]: held, ...known }));
  await letGo(origin);
}

async function letGo(origin: string): Promise<void> {
  await heldTokens.update(({ [origin]: _, ...others }) => others);
}

export async function replaceToken(origin: string, token: string): Promise<void> {
  await accountTokens.update((known) => ({ ...known, [origin]: token }));
  await letGo(origin);
}

export async function forgetToken(origin: string): Promise<void> {
  await accountTokens.update(({ [origin]: _, ...others }) => others);
  await letGo(origin);
}
