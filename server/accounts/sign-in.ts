import { createHmac, timingSafeEqual } from 'node:crypto';
import { SIGN_IN_TOKENS_MAX, TOKEN_NAME_MAX_CHARACTERS, TOKENS_MAX } from '../../shared/bounds.ts';
import { truncate } from '../../shared/links/truncate.ts';
import type { Settings } from '../config.ts';
import { newId } from '../lib/random-bytes.ts';
import { ServiceError } from '../lib/service-error.ts';
import { type Clock, HOUR_MS } from '../lib/time.ts';
import type { Account, Token } from '../store/account.ts';
import { assertAuthorized } from './caller.ts';
import { createToken, type TokenDependencies } from './tokens.ts';

const ALL_TOKENS_MAX = TOKENS_MAX + SIGN_IN_TOKENS_MAX;

export type SignInDependencies = TokenDependencies & {
  /**
   * The data folder's secret, whatever `SECRET` says: with a different key, a retry would create a second
   * link, and a person who signs in a second account.
   */
  dataSecret: Buffer;
};

/** What is stored of an identity, to find its account: an HMAC with the data folder's secret. */
function hashIdentity(identity: string, { dataSecret }: SignInDependencies): string {
  return createHmac('sha256', dataSecret)
    .update(JSON.stringify(['identity', identity]))
    .digest('base64url');
}

/** Finds the account of a person; undefined before the first sign-in. */
export async function findAccountOf(
  identity: string,
  dependencies: SignInDependencies,
): Promise<Account | undefined> {
  return dependencies.store.findAccountByIdentity(hashIdentity(identity, dependencies));
}

/**
 * Creates a token for a person whom the proxy vouches for, and the account with the first one: also
 * with `ANONYMOUS=off`, since the proxy decides who may come in.
 *
 * If the account has many tokens of this name, or as many tokens as it can have, the new one replaces the
 * one of this name that has not been used for the longest time. Otherwise somebody who signs in often
 * would be locked out. Tokens of other names are never replaced: scripts may need them.
 *
 * @throws ServiceError `account_suspended`, `too_many_tokens`
 */
export async function signIn(
  identity: string,
  tokenName: string,
  dependencies: SignInDependencies,
): Promise<{ token: string; info: Token }> {
  const { store, clock, randomBytes } = dependencies;
  const account = await store.addAccount({
    id: newId(randomBytes),
    // Shown, and like the names of tokens without control characters.
    name: truncate(identity.replace(/\p{Cc}/gu, ''), TOKEN_NAME_MAX_CHARACTERS),
    identityHash: hashIdentity(identity, dependencies),
    created: clock(),
  });
  const by = { kind: 'identity' } as const;
  assertAuthorized(by, { account }, store);
  const tokens = await store.listTokens(account.id);
  const ofThisName = tokens.filter(({ name }) => name === tokenName).sort(byLastUse);
  const [oldest] = ofThisName;
  const isFull = tokens.length >= ALL_TOKENS_MAX;
  if (isFull && !oldest) {
    throw new ServiceError(
      'too_many_tokens',
      `Your account has ${tokens.length} tokens, and none named "${tokenName}" that this sign-in could replace. Revoke one of them, or ask the administrator of this server to.`,
    );
  }
  const hasMany = ofThisName.length >= SIGN_IN_TOKENS_MAX;
  if (oldest && (isFull || hasMany)) await store.revokeToken({ ...oldest, by, evenIfLast: true });
  return createToken(
    { accountId: account.id, by, name: tokenName, scope: 'all', max: ALL_TOKENS_MAX },
    dependencies,
  );
}

function byLastUse(a: Token, b: Token): number {
  return lastUse(a) - lastUse(b);
}

/** The last use is known by day only. */
function lastUse({ lastUsedOn, created }: Token): number {
  return Math.max(lastUsedOn ?? 0, created);
}

/** A working day. Then the proxy is asked again who somebody is. */
const LIFETIME_MS = 8 * HOUR_MS;

export type AdminSessionDependencies = {
  settings: Pick<Settings, 'adminIdentities'>;
  clock: Clock;
  dataSecret: Buffer;
};

/**
 * Creates the token with which somebody in `ADMIN_IDENTITIES` administers: who it is and until when, signed with
 * the data folder's secret. The server stores nothing for it, and removing a name from the setting ends it.
 */
export function newAdminSession(
  identity: string,
  { clock, dataSecret }: Omit<AdminSessionDependencies, 'settings'>,
): { token: string; expires: number } {
  const expires = clock() + LIFETIME_MS;
  const content = Buffer.from(JSON.stringify([identity, expires])).toString('base64url');
  return { token: `${content}.${sign(content, dataSecret)}`, expires };
}

/** @param token from outside. @returns who it belongs to; undefined if it is not valid, or not any more */
export function readAdminSession(
  token: string,
  { settings, clock, dataSecret }: AdminSessionDependencies,
): string | undefined {
  const [content = '', given = '', ...rest] = token.split('.');
  const expected = Buffer.from(sign(content, dataSecret));
  const actual = Buffer.from(given);
  if (rest.length > 0 || actual.length !== expected.length) return undefined;
  if (!timingSafeEqual(actual, expected)) return undefined;
  const [identity, expires] = JSON.parse(Buffer.from(content, 'base64url').toString());
  const left = expires - clock();
  // One that was made while the clock was ahead would be valid for too long.
  const isValid = left > 0 && left <= 2 * LIFETIME_MS;
  return isValid && settings.adminIdentities.includes(identity) ? identity : undefined;
}

function sign(content: string, secret: Buffer): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['admin', content]))
    .digest('base64url');
}
