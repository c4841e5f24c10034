import { PASSWORD_MAX_CHARACTERS } from '../../shared/bounds.ts';
import { createKeyedMutex } from '../../shared/keyed-mutex.ts';
import { ServiceError } from '../lib/service-error.ts';
import type { ClientAddress } from '../limits/client-address.ts';
import type { GuessedLinks } from '../limits/client-limits.ts';
import { addressKey } from '../limits/limit-counter.ts';
import type { LimitState, Limits } from '../limits/limits.ts';
import type { Link } from '../store/link.ts';

type Passwords = {
  matches(
    password: string,
    link: { id: string; passwordHash: string },
    address: ClientAddress,
  ): Promise<boolean>;
};

/** Whether the password is right; true if the link has none. */
export type PasswordGate = (
  address: ClientAddress,
  link: Link,
  password: unknown,
) => Promise<boolean>;

/**
 * Creates a function that checks passwords with two limits: 5 wrong ones per minute, client and link,
 * and 30 attempts per hour and client, including right ones, because each needs a hash.
 *
 * After 100 wrong ones for a link in an hour, whatever the clients, each IPv4 address and each IPv6 /48 has one
 * wrong one in ten minutes, and lists tell the owner. A limit for all of them together would let anybody lock
 * everybody out.
 *
 * Attempts are counted before they wait for others. Those of one client are checked one after the other, so
 * that many people behind one address can send the right password at once without reaching the first
 * limit.
 *
 * @throws ServiceError `rate_limited`, even for the right password, and `busy`
 * @see docs/settings.md, "Limits"
 */
export function createPasswordGate(
  { passwords, guessedLinks }: { passwords: Passwords; guessedLinks: GuessedLinks },
  limits: Limits,
): PasswordGate {
  const attempts = limits.exact('password');
  const wrong = limits.exact('wrong password');
  const ofLink = limits.exact('wrong password of a link');
  const guarded = limits.exact('wrong password of a guarded link');
  const runExclusive = createKeyedMutex();

  /** Counts a wrong password for the link, until it is taken back. */
  async function takeOfLink(id: string, { client, networks: [site] }: ClientAddress) {
    const key = `1*${id}`;
    const all = await ofLink.take(key);
    if (!all.isExceeded) return { ...all, takeBack: () => ofLink.takeBack(key) };
    const ownKey = `${key}${site ?? client}`;
    const own = await guarded.take(ownKey);
    return { ...own, takeBack: () => guarded.takeBack(ownKey) };
  }

  return async (address, link, password) => {
    const { id, passwordHash } = link;
    if (passwordHash === null) return true;
    const key = addressKey(address);
    const wrongKey = addressKey(address, { scope: id });
    const attempt = await attempts.take(key);
    if (attempt.isExceeded) throw tooManyAttempts(attempt);
    return runExclusive(address.client, async () => {
      const guess = await wrong.take(wrongKey);
      if (guess.isExceeded) {
        await attempts.takeBack(key);
        throw tooManyAttempts(guess);
      }
      const ofAll = await takeOfLink(id, address);
      if (ofAll.isExceeded) {
        await attempts.takeBack(key);
        await wrong.takeBack(wrongKey);
        throw tooManyAttempts(ofAll);
      }
      try {
        for (const typed of spellings(password)) {
          if (!isPlausible(typed)) continue;
          if (!(await passwords.matches(typed, { id, passwordHash }, address))) continue;
          await wrong.takeBack(wrongKey);
          await ofAll.takeBack();
          return true;
        }
        // So it was the last one, or beyond.
        if (ofAll.remaining === 0) guessedLinks.add(id);
        return false;
      } catch (error) {
        // The password was not checked.
        await attempts.takeBack(key);
        await wrong.takeBack(wrongKey);
        await ofAll.takeBack();
        throw error;
      }
    });
  };
}

/** As sent, and without the white space that was copied along. A password may begin or end with some. */
function spellings(password: unknown): Set<unknown> {
  return new Set([password, typeof password === 'string' ? password.trim() : password]);
}

/** Whether any link can have this password. If not, no hash is needed. */
function isPlausible(password: unknown): password is string {
  return (
    typeof password === 'string' &&
    password !== '' &&
    [...password].length <= PASSWORD_MAX_CHARACTERS
  );
}

function tooManyAttempts({ ttlInSeconds: retryAfterSeconds }: LimitState): ServiceError {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = retryAfterSeconds > 60 ? `${minutes} minutes` : `${retryAfterSeconds} seconds`;
  return new ServiceError('rate_limited', `Too many password attempts. Try again in ${wait}.`, {
    retryAfterSeconds,
  });
}
