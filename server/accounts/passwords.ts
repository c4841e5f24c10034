import { hash, verify } from '@node-rs/argon2';
import pLimit, { type LimitFunction } from 'p-limit';
import { ServiceError } from '../core/service-error.ts';

/** Running and waiting, for all links together and for one. */
const MAX_PENDING = 64;
const MAX_PENDING_PER_LINK = 16;
/** Hashes for links that are being created share what one link may take. */
const NEW_LINKS = 'new links';

export type Passwords = ReturnType<typeof createPasswords>;

type Options = {
  /** Hashes at once. Each takes a thread of libuv's pool, some 20 ms of a core and 19 MiB. */
  maxRunning: number;
  /** @default 64 */
  maxPending?: number;
  /** @default 16 */
  maxPendingPerLink?: number;
};

/**
 * Hashes and checks link passwords: argon2id with the library's defaults, which are OWASP's
 * (19 MiB, 2 passes), in PHC string format.
 *
 * One link never takes all places, running or waiting: a flood of attempts on it leaves the
 * visitors of other links a place. Beyond the bounds a call fails with `busy` (503).
 */
export function createPasswords({
  maxRunning,
  maxPending = MAX_PENDING,
  maxPendingPerLink = MAX_PENDING_PER_LINK,
}: Options) {
  const all = pLimit(maxRunning);
  const links = new Map<string, { limit: LimitFunction; pending: number }>();
  let pending = 0;

  async function bounded<T>(linkId: string, work: () => Promise<T>): Promise<T> {
    const link = links.get(linkId) ?? { limit: pLimit(Math.max(1, maxRunning - 1)), pending: 0 };
    if (pending >= maxPending || link.pending >= maxPendingPerLink) throw tooBusy();
    links.set(linkId, link);
    pending++;
    link.pending++;
    try {
      // A link's calls wait here first, so that they do not queue up in front of other links.
      return await link.limit(() => all(work));
    } finally {
      pending--;
      link.pending--;
      if (link.pending === 0) links.delete(linkId);
    }
  }

  return {
    /** Hashes the password of a link that is being created. */
    hash: (password: string) => bounded(NEW_LINKS, () => hash(normalize(password))),
    matches: (password: string, { id, passwordHash }: { id: string; passwordHash: string }) =>
      bounded(id, () => verify(passwordHash, normalize(password))),
  };
}

function tooBusy(): ServiceError {
  return new ServiceError('busy', 'Too many passwords are being checked. Try again shortly.', {
    retryAfterSeconds: 1,
  });
}

/** The same password typed on two keyboards may differ in bytes (`é` composed or not). */
function normalize(password: string): string {
  return password.normalize('NFKC');
}
