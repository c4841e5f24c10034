import type { LinkSummary } from '../../links/link.ts';
import { droppedLinksCount, savedLinks, savedLinksBytes } from '../../storage/items.ts';
import { QuotaExceededError } from '../../storage/quota.ts';

/**
 * 10,000 links of usual pages take 3.7 MB. Browsers give an extension 5 MB where they give least,
 * and the tokens must find room beside them.
 */
const LIMIT_BYTES = 4 * 1024 * 1024;
/** So much goes at a time that the next links find room. */
const HEADROOM_BYTES = LIMIT_BYTES / 20;
/** Of a list around its links: the version and the brackets. */
const LIST_BYTES = 24;

/** Links by the name of their list. */
export type Lists = Map<string, LinkSummary[]>;

/**
 * Writes links; where there is no room, in the place of the oldest.
 *
 * @throws QuotaExceededError where there are too few of them
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

/** To be called after a link was written. Counts what stands there once in the browser's life. */
export async function dropBeyondLimit(name: string, link: LinkSummary): Promise<void> {
  const bytes = await countBytesOf(name, link, 1);
  if (bytes !== null && bytes <= LIMIT_BYTES) return;
  await dropOldest(limitFor);
}

/** Adds a link to what stands there, or takes it off. @returns null where that is not known */
export function countBytesOf(
  name: string,
  link: LinkSummary,
  sign: 1 | -1,
): Promise<number | null> {
  return savedLinksBytes.update((known) =>
    known === null ? null : known + sign * bytesOf(name, link),
  );
}

/** The lists that have to do without some of what is new in them to stay within the limit. */
export function withinLimit(
  lists: Lists,
  isNew: (link: LinkSummary) => boolean,
): ReturnType<typeof dropOldestUntil> {
  return dropOldestUntil(lists, LIMIT_BYTES, isNew);
}

/**
 * The lists without their oldest links, which are dropped until the rest is small enough.
 *
 * @param canDrop spares the others, whatever their age
 * @returns the lists that change, how many links were dropped, and the bytes of all that is left
 */
export function dropOldestUntil(
  lists: Lists,
  maxBytes: number,
  canDrop: (link: LinkSummary) => boolean = () => true,
): { lists: Lists; dropped: number; bytes: number } {
  let bytes = countBytes(lists);
  if (bytes <= maxBytes) return { lists: new Map(), dropped: 0, bytes };
  const oldestFirst = [...lists]
    .flatMap(([name, links]) => links.filter(canDrop).map((link) => ({ name, link })))
    .sort((one, other) => Date.parse(one.link.created) - Date.parse(other.link.created));
  const gone = new Set<LinkSummary>();
  for (const { name, link } of oldestFirst) {
    if (bytes <= maxBytes) break;
    gone.add(link);
    bytes -= bytesOf(name, link);
  }
  const thinned: Lists = new Map();
  for (const [name, links] of lists) {
    const left = links.filter((link) => !gone.has(link));
    if (left.length < links.length) thinned.set(name, left);
  }
  return { lists: thinned, dropped: gone.size, bytes };
}

/** What is to be left of so many bytes. */
function limitFor(bytes: number): number {
  return bytes > LIMIT_BYTES ? LIMIT_BYTES - HEADROOM_BYTES : bytes;
}

/** @returns how many were dropped */
async function dropOldest(roomIn: (bytes: number) => number): Promise<number> {
  let count = 0;
  let left = 0;
  await savedLinks.updateAll((lists) => {
    const thinned = dropOldestUntil(lists, roomIn(countBytes(lists)));
    count = thinned.dropped;
    left = thinned.bytes;
    return thinned.lists;
  });
  await savedLinksBytes.update(() => left);
  if (count > 0) await droppedLinksCount.update((before) => before + count);
  return count;
}

function countBytes(lists: Lists): number {
  let bytes = 0;
  for (const [name, links] of lists) {
    for (const link of links) bytes += bytesOf(name, link);
  }
  return bytes;
}

/** Each link is taken to have a list of its own, as most have. */
function bytesOf(name: string, link: LinkSummary): number {
  return new TextEncoder().encode(name + JSON.stringify(link)).length + LIST_BYTES;
}
