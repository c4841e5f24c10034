import { newestFirst } from '../../../shared/links/shown-link.ts';
import type { LinkSummary, ListedLink } from '../../links/link.ts';
import { listName, parseListName } from '../../links/list-name.ts';
import { savedLinks, savedLinksBytes } from '../../storage/items.ts';
import { QuotaExceededError } from '../../storage/quota.ts';
import { noteChange } from './link-changes.ts';
import {
  countBytesOf,
  dropBeyondLimit,
  type Lists,
  withinLimit,
  writeWithinQuota,
} from './link-quota.ts';

/** The result of an import: how many links were added, were already in the list, and did not fit. */
export type AddedLinks = { added: number; known: number; outOfSpace: number };

/** All saved links, newest first. Links of private windows are not among them. */
export async function listLinks(): Promise<ListedLink[]> {
  const lists = await savedLinks.readAll();
  return [...lists].flatMap(([name, links]) => toListed(name, links)).sort(newestFirst);
}

/** The links of a list, with the server and URL from its name. */
export function toListed(name: string, links: LinkSummary[]): ListedLink[] {
  const about = parseListName(name);
  return links.map((link) => ({ ...link, ...about }));
}

/** Removes a link from the list and from its page's links. */
export async function removeLink({
  serverOrigin,
  requestedUrl,
  shortUrl,
}: Pick<ListedLink, 'serverOrigin' | 'requestedUrl' | 'shortUrl'>): Promise<void> {
  const name = listName(serverOrigin, requestedUrl);
  let removed: LinkSummary[] = [];
  noteChange(shortUrl);
  await savedLinks.update(name, (links) => {
    removed = links.filter((link) => link.shortUrl === shortUrl);
    return links.filter((link) => link.shortUrl !== shortUrl);
  });
  for (const link of removed) await countBytesOf(name, link, -1);
}

/**
 * Puts an entry in the place of another one, or adds it. Both may be entries of different URLs.
 *
 * @throws QuotaExceededError if storage is full even without the oldest links
 */
export async function replaceLink(
  replaced: Pick<ListedLink, 'serverOrigin' | 'requestedUrl' | 'shortUrl'>,
  { serverOrigin, requestedUrl, ...link }: ListedLink,
): Promise<void> {
  const name = listName(serverOrigin, requestedUrl);
  let before: LinkSummary | undefined;
  noteChange(link.shortUrl);
  const isReplaced = ({ shortUrl }: LinkSummary) =>
    shortUrl === link.shortUrl || shortUrl === replaced.shortUrl;
  // First, so that a worker that stops in between leaves the link in the list.
  await writeWithinQuota(() =>
    savedLinks.update(name, (links) => {
      before = links.find(isReplaced);
      return [...links.filter((one) => !isReplaced(one)), link].sort(newestFirst);
    }),
  );
  if (before) await countBytesOf(name, before, -1);
  await dropBeyondLimit(name, link).catch(() => {});
  if (replaced.requestedUrl !== requestedUrl) await removeLink(replaced);
  else noteChange(replaced.shortUrl);
}

/**
 * Puts a removed link back. Reads and writes the links of its page only.
 *
 * @throws QuotaExceededError if storage is full; no other link is deleted for it
 */
export async function restoreLink({
  serverOrigin,
  requestedUrl,
  ...link
}: ListedLink): Promise<void> {
  const name = listName(serverOrigin, requestedUrl);
  let isNew = false;
  noteChange(link.shortUrl);
  await savedLinks.update(name, (links) => {
    isNew = !links.some(({ shortUrl }) => shortUrl === link.shortUrl);
    return isNew ? [...links, link].sort(newestFirst) : links;
  });
  if (isNew) await countBytesOf(name, link, 1);
}

/**
 * Adds links from a file, newest first. Existing links are never changed or deleted.
 *
 * @param onProgress is called with the number of new links stored so far
 * @throws QuotaExceededError if none fits; none is added then
 */
export async function addLinks(
  links: ListedLink[],
  onProgress: (done: number, total: number) => void = () => {},
): Promise<AddedLinks> {
  const newest = [...links].sort(newestFirst);
  for (const { shortUrl } of links) noteChange(shortUrl);
  let known = 0;
  let outOfSpace = 0;
  let total = 0;
  let done = 0;
  let bytesAfter: number | null = null;
  /** The number of new links by list. */
  const newIn = new Map<string, number>();
  const change = (lists: Lists): Lists => {
    const merged = mergeLinks(lists, newest);
    const before = new Set([...lists.values()].flat().map(({ shortUrl }) => shortUrl));
    const limited = withinLimit(
      new Map([...lists, ...merged.changed]),
      ({ shortUrl }) => !before.has(shortUrl),
    );
    known = merged.known;
    outOfSpace = limited.dropped;
    total = merged.added - limited.dropped;
    bytesAfter = limited.bytes;
    if (outOfSpace > 0 && total === 0) throw new QuotaExceededError('The list of links is full.');
    const changed = new Map([...merged.changed, ...limited.lists]);
    for (const [name, list] of changed) {
      newIn.set(name, list.filter(({ shortUrl }) => !before.has(shortUrl)).length);
    }
    return changed;
  };
  try {
    await savedLinks.updateAll(change, (written) => {
      for (const name of written.keys()) done += newIn.get(name) ?? 0;
      onProgress(done, total);
    });
  } catch (error) {
    // The browser's quota is smaller than the limit for links.
    if (!(error instanceof QuotaExceededError) || done === 0) throw error;
    outOfSpace += total - done;
    bytesAfter = null;
  }
  await savedLinksBytes.update(() => bytesAfter);
  return { added: done, known, outOfSpace };
}

/** Adds new links to their lists; existing links stay unchanged. @returns the changed lists */
export function mergeLinks(
  lists: Lists,
  links: ListedLink[],
): { changed: Lists; added: number; known: number } {
  const changed: Lists = new Map();
  const listByShortUrl = new Map<string, string>();
  for (const [name, existing] of lists) {
    for (const { shortUrl } of existing) listByShortUrl.set(shortUrl, name);
  }
  let added = 0;
  for (const { serverOrigin, requestedUrl, ...link } of links) {
    const name = listByShortUrl.get(link.shortUrl) ?? listName(serverOrigin, requestedUrl);
    const list = changed.get(name) ?? lists.get(name) ?? [];
    if (list.some(({ shortUrl }) => shortUrl === link.shortUrl)) continue;
    added += 1;
    listByShortUrl.set(link.shortUrl, name);
    changed.set(name, [...list, link].sort(newestFirst));
  }
  return { changed, added, known: links.length - added };
}
