import type { Settings } from '../config.ts';
import { DAY_MS, dayNumber } from '../lib/durations.ts';
import { ServiceError } from '../lib/service-error.ts';
import type { Memory } from '../limits/memory.ts';
import type { Account } from '../store/account.ts';
import type { Room } from '../store/link.ts';

export type RoomDependencies = {
  settings: Pick<Settings, 'anonymousBytesPerDay'>;
  memory: Pick<Memory, 'isFull'>;
};

/** After that, somebody may have erased links, or given the server more memory. */
const FULL_RETRY_SECONDS = 60;

/** What an account can add now. One to which an administrator gave a quota is not anonymous any more. */
export function roomFor(
  { isAnonymous, monthlyQuota }: Pick<Account, 'isAnonymous' | 'monthlyQuota'>,
  now: number,
  { settings, memory }: RoomDependencies,
): Room {
  const isLimited = isAnonymous === true && monthlyQuota === undefined;
  return {
    isFull: memory.isFull,
    anonymous: isLimited ? { day: dayNumber(now), maxBytes: settings.anonymousBytesPerDay } : null,
  };
}

/** @param kind of the outcome */
export function noRoom(kind: 'store_full' | 'anonymous_limit', now: number): ServiceError {
  return kind === 'store_full' ? storeFull() : anonymousLimit(now);
}

export function storeFull(): ServiceError {
  return new ServiceError(
    'store_full',
    'The memory of this server is nearly used up, so no links can be added. Links that exist keep working. Try again later, or tell the operator.',
    { retryAfterSeconds: FULL_RETRY_SECONDS },
  );
}

function anonymousLimit(now: number): ServiceError {
  return new ServiceError(
    'anonymous_limit',
    'Anonymous accounts have added as much as they can on this server today. Try again tomorrow (UTC), or ask the operator for an account.',
    { retryAfterSeconds: Math.ceil((DAY_MS - (now % DAY_MS)) / 1000) },
  );
}
