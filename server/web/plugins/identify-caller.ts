import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Caller } from '../../accounts/caller.ts';
import { type AdminSessionDependencies, readAdminSession } from '../../accounts/sign-in.ts';
import { hashToken, readToken } from '../../accounts/tokens.ts';
import type { Settings } from '../../config.ts';
import { KEY_PLACE } from '../../lib/parse-input.ts';
import { rateLimited, ServiceError } from '../../lib/service-error.ts';
import { clientAddress } from '../../limits/client-address.ts';
import { addressKey } from '../../limits/limit-counter.ts';
import type { Limits } from '../../limits/limits.ts';
import type { Authorization, TokenOwner } from '../../store/account.ts';
import type { Store } from '../../store/store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
}

/**
 * Identifies the caller before the rate limit counts the request. It does not reject invalid tokens:
 * such a request first counts against its address, and fails later (`assertValidToken`).
 */
export const identifyCaller = fp(
  async (app: FastifyInstance, { store }: { store: Pick<Store, 'findToken'> }) => {
    app.decorateRequest('caller');
    app.addHook('onRequest', (request, _reply, done) => {
      const sent = readSentToken(request.headers);
      const address = clientAddress(request);
      if (sent === undefined) {
        request.caller = { kind: 'anonymous', address };
        return done();
      }
      const token = sent === null ? null : readToken(sent);
      const found = token === null ? undefined : store.findToken(hashToken(token));
      const identify = (owner: TokenOwner | undefined) => {
        request.caller =
          owner && token !== null
            ? { kind: 'account', account: owner.account, token, tokenInfo: owner.token, address }
            : { kind: 'rejected', address };
        done();
      };
      // A store that has the account at hand costs no promise.
      if (found instanceof Promise) found.then(identify, done);
      else identify(found);
    });
  },
);

const BEARER = /^bearer +(\S+) *$/i;
const IS_BEARER = /^bearer(?: |$)/i;

/**
 * Reads the token that a request sends, in `Authorization: Bearer …` or in `X-API-Key`: undefined without either
 * header, null if they differ or have another form. Beside a key, `Authorization` may have another scheme: it is
 * for a proxy in front of the server.
 */
export function readSentToken({
  authorization,
  'x-api-key': apiKey,
}: IncomingHttpHeaders): string | null | undefined {
  const bearer =
    authorization === undefined ? undefined : (BEARER.exec(authorization)?.[1] ?? null);
  if (apiKey === undefined) return bearer;
  const key = String(apiKey).trim();
  const isOther = authorization === undefined || !IS_BEARER.test(authorization);
  return isOther || bearer === key ? key : null;
}

/** Where other services take keys. */
const OTHER_HEADERS = [
  ...['api-key', 'apikey', 'x-api-token', 'x-auth-token', 'x-auth-key', 'x-access-token'],
  ...['auth-token', 'access-token', 'private-token', 'x-token', 'token'],
];

/**
 * Refuses a key in a header in which nobody looks for it: without it, the link would be in a new anonymous account.
 * Beside a token in the right place it is for a proxy in front of the server.
 *
 * @throws ServiceError `invalid_request`
 */
export function assertKeyPlace(headers: IncomingHttpHeaders): void {
  if (readSentToken(headers) !== undefined) return;
  const name = OTHER_HEADERS.find((other) => headers[other] !== undefined);
  if (name !== undefined) throw new ServiceError('invalid_request', `${name}: ${KEY_PLACE}`);
}

/** Who administers, for the audit log. */
export type Administrator = Extract<Authorization, { kind: 'administrator' }>;
export type IdentifyAdmin = (request: FastifyRequest) => Promise<Administrator>;

/**
 * Creates a function that requires `ADMIN_TOKEN`, or the token of a session that somebody in
 * `ADMIN_IDENTITIES` has begun. After 20 wrong tokens in a minute, an address has to wait, even with the
 * right one.
 *
 * @throws ServiceError `token_required`, `invalid_token`, `rate_limited`
 */
export function createIdentifyAdmin(
  dependencies: AdminSessionDependencies & { settings: Pick<Settings, 'adminToken'> },
  limits: Limits,
): IdentifyAdmin {
  const { settings } = dependencies;
  const wrong = limits.exchanged('wrong admin token');
  const expected = settings.adminToken === undefined ? undefined : digest(settings.adminToken);

  function find(token: string): Administrator | undefined {
    const isAdminToken = expected !== undefined && timingSafeEqual(digest(token), expected);
    if (isAdminToken) return { kind: 'administrator' };
    const identity = readAdminSession(token, dependencies);
    return identity === undefined ? undefined : { kind: 'administrator', identity };
  }

  return async ({ headers, caller: { address } }) => {
    const sent = readSentToken(headers);
    if (sent === undefined) {
      throw new ServiceError(
        'token_required',
        'This requires the administrator\'s token: "Authorization: Bearer <ADMIN_TOKEN>".',
      );
    }
    const found = find(sent ?? '');
    const key = addressKey(address);
    const waitMs = found ? wrong.waitMs(key) : wrong.count(key, 1);
    if (waitMs > 0) {
      throw rateLimited('Too many wrong tokens from this address.', Math.ceil(waitMs / 1000));
    }
    if (found) return found;
    throw new ServiceError('invalid_token', "This is not the administrator's token.");
  };
}

/** The hash has the same length for all tokens, as a comparison in constant time requires. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
