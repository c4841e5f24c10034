import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type AdminSessionDependencies, readAdminSession } from '../../accounts/admin-session.ts';
import type { Settings } from '../../config.ts';
import { MINUTE_MS } from '../../lib/durations.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { addressKey } from '../../limits/limit-key.ts';
import type { Limits } from '../../limits/limits.ts';
import type { Authorization } from '../../store/account.ts';
import { readSentToken } from '../http/sent-token.ts';

const WRONG = { name: 'wrong admin token', max: 20, windowMs: MINUTE_MS };

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
  const wrong = limits.exchanged(WRONG);
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
    const { isExceeded, remaining, ttlInSeconds } = await (found
      ? wrong.read(key)
      : wrong.take(key));
    if (found ? remaining === 0 : isExceeded) throw tooManyWrong(ttlInSeconds);
    if (found) return found;
    wrong.keep(key);
    throw new ServiceError('invalid_token', "This is not the administrator's token.");
  };
}

/** The hash has the same length for all tokens, as a comparison in constant time requires. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function tooManyWrong(retryAfterSeconds: number): ServiceError {
  return new ServiceError(
    'rate_limited',
    `Too many wrong tokens from this address. Try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );
}
