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
import { privateLinks, savedLinks } from '../../storage/items.ts';
import { unlessFull } from '../../storage/quota.ts';
import { noteChange } from './link-changes.ts';

/** Of each server: enough to recognize pages, and to read offline. The server has all of them. */
export const SAVED_MAX = 200;

/** All saved links, newest first. Links of private windows are not among them. */
export async function listLinks(): Promise<ListedLink[]> {
  return Object.values(await savedLinks.read())
    .flat()
    .sort(newestFirst);
}

/** The saved links of a server, newest first. */
export async function linksOf(origin: string): Promise<ListedLink[]> {
  return (await savedLinks.read())[origin] ?? [];
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
    ...(isPrivate ? ((await privateLinks.read())[origin] ?? []) : []),
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
  const { expiresAt, hasPassword, waitTimerSeconds, hasContainer, serverState } = link;
  const { goneUrl, card, rules } = destinationsOf(link);
  const hasDestinations = goneUrl !== null || card !== null || rules.length > 0;
  const hasLimit = serverState?.maxVisits !== undefined;
  const hasOption = hasPassword || hasContainer || hasDestinations || hasLimit;
  return expiresAt === null && waitTimerSeconds === 0 && !hasOption;
}

function isLive(link: LinkSummary, nowMs: number): boolean {
  if (statusOf(link) !== 'active') return false;
  return link.expiresAt === null || Date.parse(link.expiresAt) > nowMs;
}

/**
 * Saves a link as the newest of its server.
 *
 * @param requestedUrl as requested; the server may have added a protocol
 * @throws QuotaExceededError if storage is full
 */
export async function saveLink(
  origin: string,
  requestedUrl: string,
  link: LinkSummary,
  isPrivate: boolean,
): Promise<void> {
  const entry = { ...link, serverOrigin: origin, requestedUrl };
  noteChange(link.shortUrl);
  await (isPrivate ? privateLinks : savedLinks).update((all) => ({
    ...all,
    [origin]: [entry, ...without(all[origin], link.shortUrl)].slice(0, SAVED_MAX),
  }));
}

export async function removeLink({ serverOrigin, shortUrl }: LinkReference): Promise<void> {
  noteChange(shortUrl);
  await changeLinks(serverOrigin, (links) => without(links, shortUrl));
}

/** Puts an entry in the place of another one, or adds it. */
export async function replaceLink(
  replaced: LinkReference,
  link: ListedLink,
  isErased: () => boolean,
): Promise<void> {
  noteChange(link.shortUrl);
  noteChange(replaced.shortUrl);
  await changeLinks(
    replaced.serverOrigin,
    (links) => [...without(without(links, replaced.shortUrl), link.shortUrl), link],
    isErased,
  );
}

/**
 * Changes the saved links of a server, and keeps the newest ones. If they don't fit, the previous ones stay.
 *
 * @param isErased tells, at the moment of writing, whether what was read from the server must not be saved
 */
export async function changeLinks(
  origin: string,
  change: (links: ListedLink[]) => ListedLink[],
  isErased = () => false,
): Promise<void> {
  // The server has them, too.
  await unlessFull(
    savedLinks.update((all) => {
      if (isErased()) return all;
      const { [origin]: before = [], ...others } = all;
      const after = change(before).sort(newestFirst).slice(0, SAVED_MAX);
      return after.length > 0 ? { ...others, [origin]: after } : others;
    }),
  );
}

function without(links: ListedLink[] = [], shortUrl: string): ListedLink[] {
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
