import { accountTokens, privateTokens } from '../storage.ts';

/**
 * The token to send to an origin. A private window may use one that is there already; one that was
 * issued in a private window serves private windows only.
 */
export async function findToken(origin: string, isPrivate: boolean): Promise<string | undefined> {
  const kept = (await accountTokens.read())[origin];
  if (kept || !isPrivate) return kept;
  return (await privateTokens.read())[origin];
}

/** Keeps a token that the origin has just issued, but never over one that is there. */
export async function keepIssuedToken(
  origin: string,
  token: string,
  isPrivate: boolean,
): Promise<void> {
  const tokens = isPrivate ? privateTokens : accountTokens;
  await tokens.update((known) => ({ [origin]: token, ...known }));
}

export async function replaceToken(origin: string, token: string): Promise<void> {
  await accountTokens.update((known) => ({ ...known, [origin]: token }));
}

export async function forgetToken(origin: string): Promise<void> {
  await accountTokens.update(({ [origin]: _, ...others }) => others);
}
