import { hash, verify } from '@node-rs/argon2';
import { ServiceError } from '../core/service-error.ts';

/** At once, since each run holds 19 MiB and a core for some 20 ms. */
const MAX_RUNNING = 4;
const MAX_WAITING = 32;

export type Passwords = ReturnType<typeof createPasswords>;

/**
 * Hashes and checks link passwords: argon2id with the library's defaults, which are OWASP's
 * (19 MiB, 2 passes), in PHC string format. Beyond the bounds a call fails with `busy` (503), so
 * that a flood of guesses cannot stop the redirects.
 */
export function createPasswords({ maxRunning = MAX_RUNNING, maxWaiting = MAX_WAITING } = {}) {
  let running = 0;
  const waiting: (() => void)[] = [];

  async function bounded<T>(work: () => Promise<T>): Promise<T> {
    if (running >= maxRunning) {
      if (waiting.length >= maxWaiting) {
        throw tooBusy();
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running++;
    }
    try {
      return await work();
    } finally {
      // Whoever waits takes over this place; only without one does it become free.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  }

  return {
    hash: (password: string) => bounded(() => hash(normalize(password))),
    matches: (password: string, passwordHash: string) =>
      bounded(() => verify(passwordHash, normalize(password))),
  };
}

/** Too many wait for a password to be hashed or checked. */
export function tooBusy(): ServiceError {
  return new ServiceError('busy', 'Too many passwords are being checked. Try again shortly.', {
    retryAfterSeconds: 1,
  });
}

/** The same password typed on two keyboards may differ in bytes (`é` composed or not). */
function normalize(password: string): string {
  return password.normalize('NFKC');
}
