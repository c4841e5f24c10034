import type { FastifyRequest } from 'fastify';
import { createKeyedMutex } from '../../shared/keyed-mutex.ts';
import { PASSWORD_MAX_CHARACTERS } from '../../shared/limits.ts';
import type { Service } from '../dependencies.ts';
import { HOUR_MS, MINUTE_MS } from '../lib/durations.ts';
import { ServiceError } from '../lib/service-error.ts';
import { clientAddress } from '../limits/client-ip.ts';
import { addressCounters } from '../limits/counters.ts';
import type { Link } from '../store/link.ts';

const ATTEMPTS = { name: 'password', max: 30, windowMs: HOUR_MS };
/** For each link. */
const WRONG = { name: 'wrong password', max: 5, windowMs: MINUTE_MS };

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
export function createPasswordGate({ counters, passwords }: Service): PasswordGate {
  const attemptsOf = addressCounters(ATTEMPTS);
  const wrongOf = addressCounters(WRONG);
  const runExclusive = createKeyedMutex();

  return async (request, link, password) => {
    const { id, passwordHash } = link;
    if (passwordHash === null) return true;
    const address = clientAddress(request);
    const attempt = attemptsOf(address);
    const wrong = wrongOf(address, id);
    const taken = await counters.take(attempt);
    if (!taken.isCounted) throw tooManyAttempts(taken.waitMs);
    return runExclusive(address.client, async () => {
      const taken = await counters.take(wrong);
      if (!taken.isCounted) {
        await counters.takeBack(attempt);
        throw tooManyAttempts(taken.waitMs);
      }
      try {
        if (!isPlausible(password)) return false;
        const isCorrect = await passwords.matches(password, { id, passwordHash });
        if (isCorrect) await counters.takeBack(wrong);
        return isCorrect;
      } catch (error) {
        // The password was not checked.
        await counters.takeBack([...attempt, ...wrong]);
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
