import { hash, verify } from '@node-rs/argon2';
import pLimit, { type LimitFunction } from 'p-limit';
import { createKeyedMutex } from '../../shared/keyed-mutex.ts';
import { busy, type ServiceError } from '../lib/service-error.ts';

/** Limits on pending hashes (running or queued): in total and per link. */
const MAX_PENDING = 64;
const MAX_PENDING_PER_LINK = 16;
/** Hashes for new links share the limit of one link, of which one account uses at most one place at a time. */
const NEW_LINKS = 'new links';

export type Passwords = ReturnType<typeof createPasswords>;

type Options = {
  /** Concurrent hashes. Each uses a thread of libuv's pool, about 20 ms of CPU time and 19 MiB. */
  maxRunning: number;
  /** @default 64 */
  maxPending?: number;
  /** @default 16 */
  maxPendingPerLink?: number;
};

/**
 * Hashes and verifies link passwords with argon2id and the library's defaults (19 MiB, 2 passes, as
 * OWASP recommends). Hashes are in PHC string format.
 *
 * One link can never use the whole capacity, so a flood of attempts on it does not block visitors of
 * other links. Above the limits, a call fails with `busy` (503).
 */
export function createPasswords({
  maxRunning,
  maxPending = MAX_PENDING,
  maxPendingPerLink = MAX_PENDING_PER_LINK,
}: Options) {
  const all = pLimit(maxRunning);
  const links = new Map<string, { limit: LimitFunction; pending: number }>();
  const runExclusive = createKeyedMutex({
    maxWaiting: maxPendingPerLink - 1,
    onFull: tooBusy,
  });
  let pending = 0;

  async function bounded<T>(linkId: string, work: () => Promise<T>): Promise<T> {
    const link = links.get(linkId) ?? { limit: pLimit(Math.max(1, maxRunning - 1)), pending: 0 };
    if (pending >= maxPending || link.pending >= maxPendingPerLink) throw tooBusy();
    links.set(linkId, link);
    pending++;
    link.pending++;
    try {
      // Calls for one link queue here first, so that they do not delay other links.
      return await link.limit(() => all(work));
    } finally {
      pending--;
      link.pending--;
      if (link.pending === 0) links.delete(linkId);
    }
  }

  return {
    /** Hashes the password of a link that is created or edited. One of each account at a time. */
    hash: (password: string, accountId: string) =>
      runExclusive(accountId, () => bounded(NEW_LINKS, () => hash(normalize(password)))),
    matches: (password: string, { id, passwordHash }: { id: string; passwordHash: string }) =>
      bounded(id, () => verify(passwordHash, normalize(password))),
  };
}

function tooBusy(): ServiceError {
  return busy('Too many passwords are being checked. Try again shortly.');
}

/** Two keyboards may produce different bytes for the same password (composed or decomposed `é`). */
function normalize(password: string): string {
  return password.normalize('NFKC');
}
