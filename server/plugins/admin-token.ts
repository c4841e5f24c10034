import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Service } from '../dependencies.ts';
import { MINUTE_MS } from '../lib/durations.ts';
import { ServiceError } from '../lib/service-error.ts';
import { AddressLimit } from '../limits/address-limit.ts';

const BEARER_PATTERN = /^bearer +(\S+) *$/i;
const MAX_WRONG = 20;

export type AssertAdmin = (request: FastifyRequest) => void;

/**
 * Creates a function that requires `ADMIN_TOKEN`. After 20 wrong tokens in a minute, an address has to
 * wait, even with the right one.
 *
 * @throws ServiceError `token_required`, `invalid_token`, `rate_limited`
 */
export function createAssertAdmin({
  settings: { adminToken },
  monotonicClock: clock,
  events,
}: Pick<Service, 'settings' | 'monotonicClock' | 'events'>): AssertAdmin {
  const limit = { name: 'wrong admin token', max: MAX_WRONG, windowMs: MINUTE_MS };
  const wrong = new AddressLimit(limit, { clock, events });
  const expected = adminToken === undefined ? undefined : digest(adminToken);
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
    const token = BEARER_PATTERN.exec(authorization)?.[1] ?? '';
    if (expected === undefined || !timingSafeEqual(digest(token), expected)) {
      wrong.keep(address);
      throw new ServiceError('invalid_token', "This is not the administrator's token.");
    }
    wrong.takeBack(address);
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
