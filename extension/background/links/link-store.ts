import type { LinkRecord } from '../../../shared/link-record.ts';
import type { ShortenRequest } from '../../../shared/shorten-request.ts';
import type { LinkSummary } from '../../links/link.ts';
import { fitTitle } from '../../links/truncate.ts';
import { privateLinks, savedLinks } from '../../storage/items.ts';
import { dropBeyondLimit, writeWithinQuota } from './link-quota.ts';

/**
 * The links that a page has on this server already and that have not expired, newest first. A
 * private window's own links come before the others.
 */
export async function findLinks(
  origin: string,
  address: string,
  isPrivate: boolean,
  nowMs: number,
): Promise<LinkSummary[]> {
  const name = nameOf(origin, address);
  const links = [
    ...(isPrivate ? await privateLinks.read(name) : []),
    ...(await savedLinks.read(name)),
  ];
  return links.filter((link) => isLive(link, nowMs));
}

/**
 * The newest of a page's links that can stand for a new one without asking: it takes every visitor
 * straight to the page, for good, and does not come from a file.
 */
export function selectReusable(links: LinkSummary[]): LinkSummary | undefined {
  return links.find((link) => isPlain(link) && !link.isImported);
}

/** Whether a link has no option that its visitors would notice. */
export function isPlain({
  expiresAt,
  hasPassword,
  waitTimerSeconds,
  hasContainer,
}: LinkSummary): boolean {
  return expiresAt === null && !hasPassword && waitTimerSeconds === 0 && !hasContainer;
}

/**
 * Remembers a link under the address that was asked for, as the newest.
 *
 * @param address as the page has it; the record's may have a protocol put in front
 * @throws where the browser's storage takes no more, though the oldest links made room
 */
export async function saveLink(
  origin: string,
  address: string,
  link: LinkSummary,
  isPrivate: boolean,
): Promise<void> {
  const name = nameOf(origin, address);
  const put = (links: LinkSummary[]) => [
    link,
    ...links.filter(({ shortUrl }) => shortUrl !== link.shortUrl),
  ];
  if (isPrivate) return privateLinks.update(name, put);
  await writeWithinQuota(() => savedLinks.update(name, put));
  // The link is kept, whatever becomes of this; the next one tries again.
  await dropBeyondLimit(name, link).catch(() => {});
}

/** @param pageTitle what it is called where it was given no title */
export function toLinkSummary(
  record: LinkRecord,
  { customGtmId }: Pick<ShortenRequest, 'customGtmId'>,
  pageTitle = '',
): LinkSummary {
  return {
    shortUrl: record.shortUrl,
    originalUrl: record.originalUrl,
    title: record.title || fitTitle(pageTitle),
    created: record.created,
    expiresAt: record.expiresAt,
    hasPassword: record.hasPassword,
    waitTimerSeconds: record.waitTimer,
    // The API does not return it.
    ...(customGtmId && { hasContainer: true }),
  };
}

function isLive({ expiresAt }: LinkSummary, nowMs: number): boolean {
  return expiresAt === null || Date.parse(expiresAt) > nowMs;
}

/** Under which the links of an address are kept. An origin holds no space. */
export function nameOf(origin: string, address: string): string {
  return `${origin} ${address}`;
}

export function parseName(name: string): { serverOrigin: string; address: string } {
  const end = name.indexOf(' ');
  return { serverOrigin: name.slice(0, end), address: name.slice(end + 1) };
}
