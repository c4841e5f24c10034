import type { LinkSummary } from '../../links/link.ts';
import { droppedLinksCount, savedLinks, savedLinksBytes } from '../../storage/items.ts';
import { QuotaExceededError } from '../../storage/quota.ts';

/**
 * 10,000 typical links take 4.4 MB. The smallest quota that a browser grants is 5 MB, which the tokens
 * share.
 */
const LIMIT_BYTES = 4.5 * 1024 * 1024;
/** Freed at once, so that the next links fit without deleting more. */
const HEADROOM_BYTES = LIMIT_BYTES / 20;
/** Overhead of a stored list: its version and brackets. */
const LIST_BYTES = 24;

/** Links by the name of their list. */
export type Lists = Map<string, LinkSummary[]>;

/**
 * Writes links. If storage is full, deletes the oldest links first.
 *
 * @throws QuotaExceededError if that does not free enough
 */
export async function writeWithinQuota(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (cause) {
    if (!(cause instanceof QuotaExceededError)) throw cause;
    if ((await dropOldest((bytes) => bytes - HEADROOM_BYTES)) === 0) throw cause;
    await write();
  }
}

/** Call after a link was written. Counts all links once per browser session. */
export async function dropBeyondLimit(name: string, link: LinkSummary): Promise<void> {
  const bytes = await countBytesOf(name, link, 1);
  if (bytes !== null && bytes <= LIMIT_BYTES) return;
  await dropOldest(limitFor, (one) => one.shortUrl !== link.shortUrl);
}

/** Adds a link to the counted bytes, or subtracts it. @returns null if not counted yet */
export function countBytesOf(
  name: string,
  link: LinkSummary,
  sign: 1 | -1,
): Promise<number | null> {
  return savedLinksBytes.update((known) =>
    known === null ? null : known + sign * bytesOf(name, link),
  );
}

/** Drops new links, oldest first, until the lists are within the limit. */
export function withinLimit(
  lists: Lists,
  isNew: (link: LinkSummary) => boolean,
): ReturnType<typeof dropOldestUntil> {
  return dropOldestUntil(lists, LIMIT_BYTES, isNew);
}

/**
 * Drops links until the rest is small enough: first the oldest ones that their server has, since the
 * next sync can bring them back, then the oldest ones that only this browser has.
 *
 * @param canDrop selects the links that may be dropped
 * @returns the changed lists, the number of dropped links and how many of them no server has, and the
 * remaining bytes
 */
export function dropOldestUntil(
  lists: Lists,
  maxBytes: number,
  canDrop: (link: LinkSummary) => boolean = () => true,
): { lists: Lists; dropped: number; lost: number; bytes: number } {
  let bytes = countBytes(lists);
  if (bytes <= maxBytes) return { lists: new Map(), dropped: 0, lost: 0, bytes };
  const oldestFirst = [...lists]
    .flatMap(([name, links]) => links.filter(canDrop).map((link) => ({ name, link })))
    .sort(
      ({ link: one }, { link: other }) =>
        Number(!one.managed) - Number(!other.managed) ||
        Date.parse(one.created) - Date.parse(other.created),
    );
  const dropped = new Set<LinkSummary>();
  for (const { name, link } of oldestFirst) {
    if (bytes <= maxBytes) break;
    dropped.add(link);
    bytes -= bytesOf(name, link);
  }
  const reduced: Lists = new Map();
  for (const [name, links] of lists) {
    const left = links.filter((link) => !dropped.has(link));
    if (left.length < links.length) reduced.set(name, left);
  }
  const lost = [...dropped].filter(({ managed }) => !managed).length;
  return { lists: reduced, dropped: dropped.size, lost, bytes };
}

/** The size to reduce the links to. */
function limitFor(bytes: number): number {
  return bytes > LIMIT_BYTES ? LIMIT_BYTES - HEADROOM_BYTES : bytes;
}

/** @returns the number of dropped links */
async function dropOldest(
  targetFor: (bytes: number) => number,
  canDrop?: (link: LinkSummary) => boolean,
): Promise<number> {
  let count = 0;
  let lost = 0;
  let left = 0;
  await savedLinks.updateAll((lists) => {
    const reduced = dropOldestUntil(lists, targetFor(countBytes(lists)), canDrop);
    count = reduced.dropped;
    lost = reduced.lost;
    left = reduced.bytes;
    return reduced.lists;
  });
  await savedLinksBytes.update(() => left);
  if (lost > 0) await droppedLinksCount.update((before) => before + lost);
  return count;
}

function countBytes(lists: Lists): number {
  let bytes = 0;
  for (const [name, links] of lists) {
    for (const link of links) bytes += bytesOf(name, link);
  }
  return bytes;
}

/** Assumes that each link has a list of its own, as most do. */
function bytesOf(name: string, link: LinkSummary): number {
  return new TextEncoder().encode(name + JSON.stringify(link)).length + LIST_BYTES;
}
