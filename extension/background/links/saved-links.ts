import type { LinkRecord } from '../../../shared/links/link-record.ts';
import type { LinkStatus } from '../../../shared/links/link-status.ts';
import {
  destinationsOf,
  hostOf,
  newestFirst,
  statusOf,
  toShownLink,
} from '../../../shared/links/shown-link.ts';
import { fitTitle } from '../../../shared/links/truncate.ts';
import type { LinkSummary, ListedLink } from '../../links/link.ts';
import type { LinkReference } from '../../messaging/protocol.ts';
import type { IsObsolete } from '../../storage/define-item.ts';
import { privateLinks, type SavedList, savedLinks } from '../../storage/items.ts';
import { unlessFull } from '../../storage/quota.ts';
import { noteChange } from './link-changes.ts';

/** Of each server: enough to recognize pages, and to read offline. The server has all of them. */
export const SAVED_MAX = 200;

/** All saved links, newest first. Links of private windows are not among them. */
export async function listLinks(): Promise<ListedLink[]> {
  return Object.values(await savedLinks.read())
    .flatMap(({ links }) => links)
    .sort(newestFirst);
}

/** The saved links of a server, newest first. */
export async function linksOf(origin: string): Promise<ListedLink[]> {
  return (await savedLinks.read())[origin]?.links ?? [];
}

/** Whether all links of the account in use are saved, as far as this browser knows. */
export async function hasAllLinks(origin: string): Promise<boolean> {
  return (await savedLinks.read())[origin]?.nextCursor === null;
}

export async function findLink({
  serverOrigin,
  shortUrl,
}: LinkReference): Promise<ListedLink | undefined> {
  return (await linksOf(serverOrigin)).find((link) => link.shortUrl === shortUrl);
}

/**
 * The existing links of a URL on a server that work, newest first. In a private window,
 * its own links come first.
 */
export async function findLinks(
  origin: string,
  requestedUrl: string,
  isPrivate: boolean,
  nowMs: number,
): Promise<LinkSummary[]> {
  const links = [
    ...(isPrivate ? ((await privateLinks.read())[origin]?.links ?? []) : []),
    ...(await linksOf(origin)),
  ];
  return links
    .filter((link) => link.requestedUrl === requestedUrl && isLive(link, nowMs))
    .map(toSummary);
}

/** The newest plain link of a URL with one of these statuses. @param domain a host; undefined for any */
export async function findPlain(
  origin: string,
  requestedUrl: string,
  statuses: LinkStatus[],
  domain?: string | undefined,
): Promise<LinkSummary | undefined> {
  const links = (await linksOf(origin)).filter(
    (link) => link.requestedUrl === requestedUrl && statuses.includes(statusOf(link)),
  );
  const found = selectReusable(links, domain);
  return found && toSummary(found);
}

/** The newest plain link, which can be reused instead of creating another. @param domain a host; undefined for any */
export function selectReusable<L extends LinkSummary>(
  links: L[],
  domain?: string | undefined,
): L | undefined {
  return links.find((link) => isPlain(link) && (domain === undefined || hostOf(link) === domain));
}

/** Whether a link has no option that its visitors notice. */
function isPlain(link: LinkSummary): boolean {
  const { expiresAt, hasPassword, waitTimer, hasContainer, serverState } = link;
  const { goneUrl, card, rules } = destinationsOf(link);
  const hasDestinations = goneUrl !== null || card !== null || rules.length > 0;
  const hasLimit = serverState?.maxVisits !== undefined;
  const hasOption = hasPassword || hasContainer || hasDestinations || hasLimit;
  return expiresAt === null && waitTimer === 0 && !hasOption;
}

function isLive(link: LinkSummary, nowMs: number): boolean {
  if (statusOf(link) !== 'active') return false;
  return link.expiresAt === null || Date.parse(link.expiresAt) > nowMs;
}

/**
 * Saves a link as the newest of its server.
 *
 * @param requestedUrl as requested; the server may have added a protocol
 * @param isObsolete whether the link must not be saved any more
 * @param isOnly whether the account has no other link
 * @throws QuotaExceededError if storage is full
 */
export async function saveLink(
  origin: string,
  requestedUrl: string,
  link: LinkSummary,
  isPrivate: boolean,
  isObsolete?: IsObsolete,
  isOnly = false,
): Promise<void> {
  const entry = { ...link, serverOrigin: origin, requestedUrl };
  noteChange(link.shortUrl);
  await (isPrivate ? privateLinks : savedLinks).update((all) => {
    const { links = [], nextCursor = isOnly ? null : undefined } = all[origin] ?? {};
    const others = without(links, link.shortUrl);
    return { ...all, [origin]: keepNewest({ links: [entry, ...others], nextCursor }) };
  }, isObsolete);
}

export async function removeLink({ serverOrigin, shortUrl }: LinkReference): Promise<void> {
  noteChange(shortUrl);
  await changeLinks(serverOrigin, (links, nextCursor) => ({
    links: without(links, shortUrl),
    nextCursor,
  }));
}

/** Call when the account may have got links that are not saved: the list is incomplete until it is read again. */
export async function expectMoreLinks(origin: string): Promise<void> {
  await changeLinks(origin, (links) => ({ links }));
}

/** Call when the account is no longer in use. */
export async function deleteLinks(origin: string): Promise<void> {
  await savedLinks.deleteEntry(origin);
}

/** Puts an entry in the place of another one, or adds it. */
export async function replaceLink(
  replaced: LinkReference,
  link: ListedLink,
  isObsolete: IsObsolete,
): Promise<void> {
  noteChange(link.shortUrl);
  noteChange(replaced.shortUrl);
  await changeLinks(
    replaced.serverOrigin,
    (links, nextCursor) => ({
      links: [...without(without(links, replaced.shortUrl), link.shortUrl), link],
      nextCursor,
    }),
    isObsolete,
  );
}

/**
 * Changes the saved links of a server, and keeps the newest ones. If they don't fit, the previous ones stay.
 *
 * @param isObsolete whether what was read from the server must not be saved any more
 */
export async function changeLinks(
  origin: string,
  change: (links: ListedLink[], nextCursor: SavedList['nextCursor']) => SavedList,
  isObsolete?: IsObsolete,
): Promise<void> {
  // The server has them, too.
  await unlessFull(
    savedLinks.update((all) => {
      const { [origin]: before, ...others } = all;
      const { links, nextCursor } = change(before?.links ?? [], before?.nextCursor);
      if (links.length === 0 && nextCursor !== null) return others;
      return {
        ...others,
        [origin]: keepNewest({ links: links.toSorted(newestFirst), nextCursor }),
      };
    }, isObsolete),
  );
}

/** Without the others, it is not known any more where the next page starts. */
function keepNewest({ links, nextCursor }: SavedList): SavedList {
  return links.length > SAVED_MAX ? { links: links.slice(0, SAVED_MAX) } : { links, nextCursor };
}

function without(links: ListedLink[], shortUrl: string): ListedLink[] {
  return links.filter((link) => link.shortUrl !== shortUrl);
}

function toSummary({ serverOrigin: _, requestedUrl: __, ...link }: ListedLink): LinkSummary {
  return link;
}

/** @param pageTitle for a link without a title */
export function toLinkSummary(record: LinkRecord, pageTitle = ''): LinkSummary {
  return { ...toShownLink(record), title: record.title || fitTitle(pageTitle) };
}

/**
 * A link as its server has it now.
 *
 * @param before its entry so far: the server has neither the page's title nor the URL as requested
 */
export function toEntry(
  serverOrigin: string,
  record: LinkRecord,
  before?: ListedLink,
  // Somebody who edited the link elsewhere may have cleared the title.
  keepsTitle = before?.serverState?.version === record.version,
): ListedLink {
  return {
    ...toShownLink(record),
    title: record.title || (keepsTitle && before ? before.title : ''),
    serverOrigin,
    requestedUrl:
      before?.originalUrl === record.originalUrl ? before.requestedUrl : record.originalUrl,
  };
}
