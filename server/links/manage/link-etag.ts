import { linkEtag } from '../../../shared/links/link-etag.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Link } from '../../store/link.ts';

const ENTITY_TAG = /"[^"]*"/g;

/**
 * Evaluates `If-Match`, with the weak comparison: proxies that compress a response make its ETag weak.
 *
 * @param ifMatch value of the header: `*` or a list of ETags; undefined matches any link
 * @throws ServiceError `version_mismatch`
 * @see RFC 9110, section 13.1.1
 */
export function assertMatches(link: Link, ifMatch: string | undefined): void {
  if (matchesAny(ifMatch) || ifMatch.match(ENTITY_TAG)?.includes(linkEtag(link))) return;
  throw versionMismatch();
}

export function matchesAny(ifMatch: string | undefined): ifMatch is undefined | '*' {
  return ifMatch === undefined || ifMatch.trim() === '*';
}

export function versionMismatch(): ServiceError {
  return new ServiceError(
    'version_mismatch',
    'The link was edited since, so its ETag is not the one in If-Match. Read the link again.',
  );
}
