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
  /** What hashes. Tests count and hold its calls. */
  argon2?: { hash: typeof hash; verify: typeof verify };
};

export type PasswordCost = Pick<HashOptions, 'memoryCost' | 'timeCost'>;

/**
 * Hashes and verifies link passwords with argon2id. Hashes are in PHC string format.
 *
 * One link can never use the whole capacity, so a flood of attempts on it does not block visitors of
 * other links, and neither can one network. Above the limits, a call fails with `busy` (503).
 */
export function createPasswords({
  maxRunning,
  maxPending = MAX_PENDING,
  cost,
  argon2 = { hash, verify },
}: Options) {
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
            bounded(NEW_PASSWORDS, () => argon2.hash(normalize(password), cost)),
          ),
        ),
      ),
    matches: (
      password: string,
      { id, passwordHash }: { id: string; passwordHash: string },
      { client, networks }: ClientAddress,
    ) =>
      inPlace(places, [`link ${id}`, client, ...networks], () =>
        bounded(id, () => argon2.verify(passwordHash, normalize(password))),
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

/** The parameters, the salt and the digest. */
const PHC =
  /^\$argon2id\$v=19\$m=([1-9]\d{0,6}),t=([1-9]\d{0,2}),p=([1-9]\d?)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;
/** More than Curt's own hashes need, and less than what would occupy the server. */
const MEMORY_MAX_KIB = 64 * 1024;
const PASSES_MAX = 4;
const LANES_MAX = 4;

/**
 * Whether the text is an argon2id hash in PHC string format that can be verified, and cheaply enough. The cost of
 * each check of the password is written in the hash, so a foreign one could take minutes.
 */
export function isSafePasswordHash(text: string): boolean {
  const [, ...parts] = PHC.exec(text) ?? [];
  const [memory = 0, passes = 0, lanes = 0] = parts.map(Number);
  return (
    parts.slice(3).every(isBase64) &&
    within(memory, 8 * lanes, MEMORY_MAX_KIB) &&
    within(passes, 1, PASSES_MAX) &&
    within(lanes, 1, LANES_MAX)
  );
}

/** Whether the text is without padding and without bits that are not used, as decoders require. */
function isBase64(text: string): boolean {
  return Buffer.from(text, 'base64').toString('base64').replaceAll('=', '') === text;
}

function within(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
}
