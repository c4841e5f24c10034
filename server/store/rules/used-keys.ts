import { IDEMPOTENCY_WINDOW_MS } from '../../../shared/limits.ts';
import type { Idempotency, Link, Replay } from '../link.ts';
import { changedLink } from '../records/link-json.ts';
import type { UsedKey } from '../records.ts';
import type { View } from './view.ts';

/**
 * What the call with an idempotency key has made: the link as created, or null once it was purged.
 *
 * @returns undefined if nobody has used the key, or if it has expired
 */
export function findUsedKey(
  view: Pick<View, 'get'>,
  keyHash: string,
  now: number,
): (Idempotency & { link: Link | null }) | undefined {
  const key = view.get('key', keyHash);
  if (!key || hasExpired(key, now)) return undefined;
  const { bodyHash, tokenSalt, linkId, original } = key;
  const link = view.get('link', linkId);
  return {
    keyHash,
    bodyHash,
    tokenSalt,
    link: link ? changedLink(original ?? link, { hits: 0 }) : null,
  };
}

/** See `Store.findReplay`. */
export function findReplay(...call: Parameters<typeof findUsedKey>): Replay | undefined {
  const used = findUsedKey(...call);
  return used?.link ? { ...used, link: used.link } : undefined;
}

export function hasExpired({ created }: Pick<UsedKey, 'created'>, now: number): boolean {
  return now >= created + IDEMPOTENCY_WINDOW_MS;
}
