import type { LinkRecord } from '../../shared/link-record.ts';
import type { MadeLink } from '../messages.ts';
import { madeLinks, privateLinks } from '../storage.ts';

/** A link takes about 300 bytes; extension storage holds 5 MB where it holds least. */
const LINKS_KEPT = 2000;

/** The link that a page has on this server already, unless it has expired. */
export async function findMadeLink(
  origin: string,
  address: string,
  isPrivate: boolean,
  nowMs: number,
): Promise<MadeLink | undefined> {
  const key = keyOf(origin, address);
  const link =
    (isPrivate ? (await privateLinks.read())[key] : undefined) ?? (await madeLinks.read())[key];
  return link && isLive(link, nowMs) ? link : undefined;
}

/**
 * Remembers a link under the address that was asked for, as the newest.
 *
 * @param address as the page has it; the record's may have a protocol put in front
 */
export async function rememberLink(
  origin: string,
  address: string,
  link: MadeLink,
  isPrivate: boolean,
): Promise<void> {
  const key = keyOf(origin, address);
  await (isPrivate ? privateLinks : madeLinks).update(({ [key]: _, ...others }) =>
    Object.fromEntries([...Object.entries(others), [key, link] as const].slice(-LINKS_KEPT)),
  );
}

export function toMadeLink(record: LinkRecord): MadeLink {
  return {
    shortUrl: record.shortUrl,
    originalUrl: record.originalUrl,
    title: record.title,
    created: record.created,
    expiresAt: record.expiresAt,
    hasPassword: record.hasPassword,
    waitTimerSeconds: record.waitTimer,
  };
}

function isLive({ expiresAt }: MadeLink, nowMs: number): boolean {
  return expiresAt === null || Date.parse(expiresAt) > nowMs;
}

function keyOf(origin: string, address: string): string {
  return `${origin} ${address}`;
}
