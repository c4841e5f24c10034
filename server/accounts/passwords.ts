import { type Options as HashOptions, hash, verify } from '@node-rs/argon2';
import pLimit, { type LimitFunction } from 'p-limit';
import { createKeyedMutex } from '../../shared/keyed-mutex.ts';
import { busy, type ServiceError } from '../lib/service-error.ts';
import type { ClientAddress } from '../limits/client-address.ts';
import { Shares } from '../limits/shares.ts';

/** Limits on pending hashes (running or queued): in total, and per link, address and network of visitors. */
const MAX_PENDING = 64;
const SHARE = 16;
/**
 * Hashes for new passwords share the limit of one link. One account uses at most one of these places at a
 * time, and one address or network at most half of them, however many accounts it has.
 */
const NEW_PASSWORDS = 'new passwords';

export type Passwords = ReturnType<typeof createPasswords>;

type Options = {
  /** Concurrent hashes. Each uses a thread of libuv's pool, about 20 ms of CPU time and 19 MiB. */
  maxRunning: number;
  /** @default 64 */
  maxPending?: number;
  /** Of new hashes. @default 19 MiB and 2 passes, as OWASP recommends */
  cost?: PasswordCost | undefined;
};

export type PasswordCost = Pick<HashOptions, 'memoryCost' | 'timeCost'>;

/**
 * Hashes and verifies link passwords with argon2id. Hashes are in PHC string format.
 *
 * One link can never use the whole capacity, so a flood of attempts on it does not block visitors of
 * other links, and neither can one network. Above the limits, a call fails with `busy` (503).
 */
export function createPasswords({ maxRunning, maxPending = MAX_PENDING, cost }: Options) {
  const all = pLimit(maxRunning);
  const links = new Map<string, { limit: LimitFunction; pending: number }>();
  const runExclusive = createKeyedMutex({
    maxWaiting: SHARE - 1,
    onFull: tooBusy,
  });
  const places = new Shares({ total: maxPending, share: SHARE });
  const newPasswords = new Shares({ total: SHARE, share: SHARE / 2 });

  async function bounded<T>(linkId: string, work: () => Promise<T>): Promise<T> {
    const link = links.get(linkId) ?? { limit: pLimit(Math.max(1, maxRunning - 1)), pending: 0 };
    links.set(linkId, link);
    link.pending++;
    try {
      // Calls for one link queue here first, so that they do not delay other links.
      return await link.limit(() => all(work));
    } finally {
      link.pending--;
      if (link.pending === 0) links.delete(linkId);
    }
  }

  return {
    /** Hashes the password of a link that is created or edited. One of each account at a time. */
    hash: (password: string, accountId: string, { client, networks }: ClientAddress) =>
      runExclusive(accountId, () =>
        inPlace(newPasswords, [client, ...networks], () =>
          inPlace(places, [NEW_PASSWORDS], () =>
            bounded(NEW_PASSWORDS, () => hash(normalize(password), cost)),
          ),
        ),
      ),
    matches: (
      password: string,
      { id, passwordHash }: { id: string; passwordHash: string },
      { client, networks }: ClientAddress,
    ) =>
      inPlace(places, [`link ${id}`, client, ...networks], () =>
        bounded(id, () => verify(passwordHash, normalize(password))),
      ),
  };
}

/** @throws ServiceError `busy` if there is no place */
async function inPlace<T>(
  places: Shares,
  holders: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const giveBack = places.take(holders, 1);
  if (!giveBack) throw tooBusy();
  try {
    return await work();
  } finally {
    giveBack();
  }
}

function tooBusy(): ServiceError {
  return busy('Too many passwords are being checked. Try again shortly.');
}

/** Two keyboards may produce different bytes for the same password (composed or decomposed `é`). */
function normalize(password: string): string {
  return password.normalize('NFKC');
}
