import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { readAdminSession } from '../accounts/admin-session.ts';
import type { Service } from '../dependencies.ts';
import { MINUTE_MS } from '../lib/durations.ts';
import { ServiceError } from '../lib/service-error.ts';
import { AddressLimit } from '../limits/address-limit.ts';
import type { Authorization } from '../store/account.ts';

const BEARER_PATTERN = /^bearer +(\S+) *$/i;
const MAX_WRONG = 20;

/** Who administers, for the audit log. */
export type Administrator = Extract<Authorization, { kind: 'administrator' }>;
export type IdentifyAdmin = (request: FastifyRequest) => Administrator;

/**
 * Creates a function that requires `ADMIN_TOKEN`, or the token of a session that somebody in
 * `ADMIN_IDENTITIES` has begun. After 20 wrong tokens in a minute, an address has to wait, even with the
 * right one.
 *
 * @throws ServiceError `token_required`, `invalid_token`, `rate_limited`
 */
export function createIdentifyAdmin(
  service: Pick<Service, 'settings' | 'monotonicClock' | 'events' | 'clock' | 'dataSecret'>,
): IdentifyAdmin {
  const { settings, monotonicClock: clock, events } = service;
  const limit = { name: 'wrong admin token', max: MAX_WRONG, windowMs: MINUTE_MS };
  const wrong = new AddressLimit(limit, { clock, events });
  const expected = settings.adminToken === undefined ? undefined : digest(settings.adminToken);

  function find(token: string): Administrator | undefined {
    const isAdminToken = expected !== undefined && timingSafeEqual(digest(token), expected);
    if (isAdminToken) return { kind: 'administrator' };
    const identity = readAdminSession(token, service);
    return identity === undefined ? undefined : { kind: 'administrator', identity };
  }

  return ({ headers: { authorization }, caller: { address } }) => {
    if (authorization === undefined) {
      throw new ServiceError(
        'token_required',
        'This requires the administrator\'s token: "Authorization: Bearer <ADMIN_TOKEN>".',
      );
    }
    // Counted first, and taken back if it is right.
    const waitMs = wrong.take(address);
    if (waitMs > 0) throw tooManyWrong(waitMs);
    const found = find(BEARER_PATTERN.exec(authorization)?.[1] ?? '');
    if (!found) {
      wrong.keep(address);
      throw new ServiceError('invalid_token', "This is not the administrator's token.");
    }
    wrong.takeBack(address);
    return found;
  };
}

/** Of equal length for all tokens, as a comparison in constant time requires. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function tooManyWrong(waitMs: number): ServiceError {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  return new ServiceError(
    'rate_limited',
    `Too many wrong tokens from this address. Try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );
}
