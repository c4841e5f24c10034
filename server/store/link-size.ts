import { LINK_TARGETS_MAX_BYTES } from '../../shared/limits.ts';
import { urlsOf } from '../../shared/links/destinations.ts';
import { type Link, type LinkFields, toLink, toLinkJson } from './link.ts';

const MODEST_URL_CHARACTERS = 1024;

/**
 * Whether a link has what makes links large. All other texts of a link have at most 10 kB, so a page of links
 * without it has no more than about 1 MiB.
 */
export function mayBeLarge({ originalUrl, rules, card, goneUrl }: Link): boolean {
  const isModest = originalUrl.length <= MODEST_URL_CHARACTERS;
  return !isModest || rules.length > 0 || card !== null || goneUrl !== null;
}

/** The bytes of a link's stored size that count as one against a quota. */
const QUOTA_UNIT_BYTES = 4096;

/** Returns the stored size of what people write into a link: pausing or deleting one does not make it larger. */
export function linkBytes(link: Link): number {
  const { isActive: _a, deletedAt: _d, editedAt: _e, version: _v, ...content } = toLinkJson(link);
  return Buffer.byteLength(JSON.stringify(content));
}

/** Returns what a link of this size counts against a quota. At least 1. */
export function unitsOf(bytes: number): number {
  return Math.ceil(bytes / QUOTA_UNIT_BYTES);
}

/** Returns the size of a link that is not in the store yet, for the dry run of an import. */
export function measure(fields: LinkFields): { units: number; hasTooLongTargets: boolean } {
  const link = toLink(fields);
  return { units: unitsOf(linkBytes(link)), hasTooLongTargets: hasTooLongTargets(link) };
}

/** Whether all URLs of a link together are too long. */
export function hasTooLongTargets(link: Link): boolean {
  const { targetUrl: originalUrl, rules, goneUrl, card } = link;
  const bytes = urlsOf({ originalUrl, rules, goneUrl, card }).reduce(
    (sum, { url }) => sum + Buffer.byteLength(url),
    0,
  );
  return bytes > LINK_TARGETS_MAX_BYTES;
}
