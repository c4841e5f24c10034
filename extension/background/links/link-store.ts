import type { LinkRecord } from '../../../shared/link-record.ts';
import { fitTitle } from '../../links/truncate.ts';
import type { MadeLink } from '../../messaging/protocol.ts';
import { keptLinks, privateLinks } from '../../storage/items.ts';
import { dropBeyondLimit, writeWithRoom } from './link-quota.ts';

/**
 * The link that a page has on this server already: the newest that has not expired. One from a file
 * only where none was made here.
 */
export async function findMadeLink(
  origin: string,
  address: string,
  isPrivate: boolean,
  nowMs: number,
): Promise<MadeLink | undefined> {
  const name = nameOf(origin, address);
  const findLive = (links: MadeLink[]) => {
    const live = links.filter((link) => isLive(link, nowMs));
    return live.find(({ isImported }) => !isImported) ?? live[0];
  };
  return (
    (isPrivate ? findLive(await privateLinks.read(name)) : undefined) ??
    findLive(await keptLinks.read(name))
  );
}

/** The same, but for one from a file: that is not to be copied unseen, nor to stand for a new one. */
export async function findLinkMadeHere(
  ...where: Parameters<typeof findMadeLink>
): Promise<MadeLink | undefined> {
  const found = await findMadeLink(...where);
  return found?.isImported ? undefined : found;
}

/**
 * Remembers a link under the address that was asked for, as the newest.
 *
 * @param address as the page has it; the record's may have a protocol put in front
 * @throws where the browser's storage takes no more, though the oldest links made room
 */
export async function rememberLink(
  origin: string,
  address: string,
  link: MadeLink,
  isPrivate: boolean,
): Promise<void> {
  const name = nameOf(origin, address);
  const put = (links: MadeLink[]) => [
    link,
    ...links.filter(({ shortUrl }) => shortUrl !== link.shortUrl),
  ];
  if (isPrivate) return privateLinks.update(name, put);
  await writeWithRoom(() => keptLinks.update(name, put));
  // The link is kept, whatever becomes of this; the next one tries again.
  await dropBeyondLimit(name, link).catch(() => {});
}

/** @param pageTitle what it is called where it was given no title */
export function toMadeLink(record: LinkRecord, pageTitle = ''): MadeLink {
  return {
    shortUrl: record.shortUrl,
    originalUrl: record.originalUrl,
    title: record.title || fitTitle(pageTitle),
    created: record.created,
    expiresAt: record.expiresAt,
    hasPassword: record.hasPassword,
    waitTimerSeconds: record.waitTimer,
  };
}

function isLive({ expiresAt }: MadeLink, nowMs: number): boolean {
  return expiresAt === null || Date.parse(expiresAt) > nowMs;
}

/** Under which the links of an address are kept. An origin holds no space. */
export function nameOf(origin: string, address: string): string {
  return `${origin} ${address}`;
}
