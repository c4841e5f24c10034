import { LINK_TARGETS_MAX_BYTES } from '../../../shared/limits.ts';
import { urlsOf } from '../../../shared/links/destinations.ts';
import type { Link, LinkFields } from '../link.ts';
import { toLink, toLinkJson } from '../records/link-json.ts';

/** The bytes of a link's stored size that count as one against a quota. */
export const QUOTA_UNIT_BYTES = 4096;

/** The stored size of what people write into a link: pausing or deleting one does not make it larger. */
export function contentBytes(link: Link): number {
  const { isActive: _a, deletedAt: _d, editedAt: _e, version: _v, ...content } = toLinkJson(link);
  return Buffer.byteLength(JSON.stringify(content));
}

/** What a link of this size counts against a quota. At least 1. */
export function unitsOf(bytes: number): number {
  return Math.ceil(bytes / QUOTA_UNIT_BYTES);
}

/** Of a link that is not in the store yet, for the dry run of an import. */
export function measure(fields: LinkFields): { units: number; hasTooLongTargets: boolean } {
  const link = toLink(fields);
  return { units: unitsOf(contentBytes(link)), hasTooLongTargets: hasTooLongTargets(link) };
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
