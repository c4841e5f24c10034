import type { LinkRecord } from '../../../shared/links/link-record.ts';
import { statusOf, toShownLink } from '../../../shared/links/shown-link.ts';
import { fitTitle } from '../../../shared/links/truncate.ts';
import type { LinkSummary } from '../../links/link.ts';
import { listName } from '../../links/list-name.ts';
import { hiddenLinkIds, privateLinks, savedLinks } from '../../storage/items.ts';
import { noteChange } from './link-changes.ts';
import { dropBeyondLimit, writeWithinQuota } from './link-quota.ts';

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
  const name = listName(origin, requestedUrl);
  const links = [
    ...(isPrivate ? await privateLinks.read(name) : []),
    ...(await savedLinks.read(name)),
  ];
  return links.filter((link) => isLive(link, nowMs));
}

/** The newest plain link of a URL that was paused. */
export async function findPaused(
  origin: string,
  requestedUrl: string,
): Promise<LinkSummary | undefined> {
  const links = await savedLinks.read(listName(origin, requestedUrl));
  return links.find((link) => statusOf(link) === 'inactive' && isPlain(link));
}

/**
 * The newest link that can be reused instead of creating another: it redirects every visitor
 * immediately, never expires, does not come from a file, and is not known to be gone from the account.
 */
export function selectReusable(links: LinkSummary[]): LinkSummary | undefined {
  return links.find((link) => isPlain(link) && !link.isImported && !link.isUnknown);
}

/** Whether a link has no option that its visitors notice. */
export function isPlain(link: LinkSummary): boolean {
  const { expiresAt, hasPassword, waitTimerSeconds, hasContainer, managed } = link;
  const hasOption = hasPassword || hasContainer || managed?.maxVisits !== undefined;
  return expiresAt === null && waitTimerSeconds === 0 && !hasOption;
}

/**
 * Saves a link as the newest of its URL.
 *
 * @param requestedUrl as requested; the server may have added a protocol
 * @throws QuotaExceededError if storage is full even without the oldest links
 */
export async function saveLink(
  origin: string,
  requestedUrl: string,
  link: LinkSummary,
  isPrivate: boolean,
): Promise<void> {
  const name = listName(origin, requestedUrl);
  const put = (links: LinkSummary[]) => [
    link,
    ...links.filter(({ shortUrl }) => shortUrl !== link.shortUrl),
  ];
  if (isPrivate) return privateLinks.update(name, put);
  noteChange(link.shortUrl);
  await writeWithinQuota(() => savedLinks.update(name, put));
  // The link is saved even if this fails; the next link tries again.
  await dropBeyondLimit(name, link).catch(() => {});
}

/**
 * Keeps a link of a private window out of the list, which has the links of the account in other windows.
 *
 * @throws QuotaExceededError if storage is full even without the oldest links
 */
export async function hideLink(id: string): Promise<void> {
  await writeWithinQuota(async () => {
    await hiddenLinkIds.update((ids) => (ids.includes(id) ? ids : [...ids, id]));
  });
}

/** @param pageTitle for a link without a title */
export function toLinkSummary(record: LinkRecord, pageTitle = ''): LinkSummary {
  return {
    ...toShownLink(record),
    title: record.title || fitTitle(pageTitle),
  };
}

function isLive(link: LinkSummary, nowMs: number): boolean {
  if (statusOf(link) !== 'active') return false;
  return link.expiresAt === null || Date.parse(link.expiresAt) > nowMs;
}
