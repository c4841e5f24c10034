import type { FastifyRequest } from 'fastify';
import { createKeyedMutex } from '../../shared/keyed-mutex.ts';
import { PASSWORD_MAX_CHARACTERS } from '../../shared/limits.ts';
import type { Service } from '../core/context.ts';
import { ServiceError } from '../core/service-error.ts';
import { AddressLimit } from '../http/address-limit.ts';
import { clientAddress } from '../http/client-ip.ts';
import type { Link } from '../store/store.ts';

const WRONG_WINDOW_MS = 60_000;
const MAX_WRONG_PER_LINK = 5;
const ATTEMPTS_WINDOW_MS = 60 * 60 * 1000;
const MAX_ATTEMPTS = 30;

/** Whether the visitor knows the link's password; true if it has none. */
export type PasswordGate = (
  request: FastifyRequest,
  link: Link,
  password: unknown,
) => Promise<boolean>;

/**
 * Checks a visitor's password within the limits: five wrong ones a minute per client and link, and
 * thirty attempts an hour per client, right ones too, since each costs a hash.
 *
 * Both count before the first await. A client's attempts are checked one after the other, so that
 * an office behind one address, sending the right password all at once, reaches only the second.
 *
 * @throws ServiceError `rate_limited`, for the right password too, and `busy`
 * Source: contract, "Visiting", `password`.
 */
export function createPasswordGate({ monotonicClock: clock, passwords }: Service): PasswordGate {
  const attempts = new AddressLimit({ max: MAX_ATTEMPTS, windowMs: ATTEMPTS_WINDOW_MS, clock });
  const wrong = new AddressLimit({ max: MAX_WRONG_PER_LINK, windowMs: WRONG_WINDOW_MS, clock });
  const runExclusive = createKeyedMutex();

  return async (request, link, password) => {
    const { id, passwordHash } = link;
    if (passwordHash === null) return true;
    const address = clientAddress(request);
    const wait = attempts.take(address);
    if (wait > 0) throw tooManyAttempts(wait);
    return runExclusive(address.client, async () => {
      const wait = wrong.take(address, id);
      if (wait > 0) {
        attempts.takeBack(address);
        throw tooManyAttempts(wait);
      }
      try {
        if (!isPlausible(password)) return false;
        const isRight = await passwords.matches(password, { id, passwordHash });
        if (isRight) wrong.takeBack(address, id);
        return isRight;
      } catch (error) {
        // Nothing was checked.
        wrong.takeBack(address, id);
        attempts.takeBack(address);
        throw error;
      }
    });
  };
}

/** Others are not worth a hash: no link can have them. */
function isPlausible(password: unknown): password is string {
  return (
    typeof password === 'string' &&
    password !== '' &&
    [...password].length <= PASSWORD_MAX_CHARACTERS
  );
}

function tooManyAttempts(waitMs: number): ServiceError {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = retryAfterSeconds > 60 ? `${minutes} minutes` : `${retryAfterSeconds} seconds`;
  return new ServiceError('rate_limited', `Too many password attempts. Try again in ${wait}.`, {
    retryAfterSeconds,
  });
}
