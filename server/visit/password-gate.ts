import type { FastifyRequest } from 'fastify';
import { createKeyedMutex } from '../../shared/keyed-mutex.ts';
import { PASSWORD_MAX_CHARACTERS } from '../../shared/limits.ts';
import type { Service } from '../core/context.ts';
import { ServiceError } from '../core/service-error.ts';
import { AddressLimit } from '../http/limits/address-limit.ts';
import { clientAddress } from '../http/limits/client-ip.ts';
import type { Link } from '../store/link.ts';

const WRONG_WINDOW_MS = 60_000;
const MAX_WRONG_PER_LINK = 5;
const ATTEMPTS_WINDOW_MS = 60 * 60 * 1000;
const MAX_ATTEMPTS = 30;

/** Whether the password is right; true if the link has none. */
export type PasswordGate = (
  request: FastifyRequest,
  link: Link,
  password: unknown,
) => Promise<boolean>;

/**
 * Creates a function that checks passwords with two limits: 5 wrong ones per minute, client and link,
 * and 30 attempts per hour and client, including right ones, because each needs a hash.
 *
 * Attempts are counted before the first await. Those of one client are checked one after the other, so
 * that many people behind one address can send the right password at once without reaching the first
 * limit.
 *
 * @throws ServiceError `rate_limited`, even for the right password, and `busy`
 * @see docs/api.md, "Limits"
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
        const isCorrect = await passwords.matches(password, { id, passwordHash });
        if (isCorrect) wrong.takeBack(address, id);
        return isCorrect;
      } catch (error) {
        // The password was not checked.
        wrong.takeBack(address, id);
        attempts.takeBack(address);
        throw error;
      }
    });
  };
}

/** Whether any link can have this password. If not, no hash is needed. */
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
