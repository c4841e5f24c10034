import { createHash } from 'node:crypto';

/** A strong ETag for a response that is fully determined by these values. */
export function etagOf(...values: string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(values)).digest('base64url');
  return `"${hash.slice(0, 22)}"`;
}

/**
 * Whether the client already has the current response, so that 304 is sufficient.
 *
 * @see RFC 9110, section 13.1.2, which requires the weak comparison
 *
 * @param ifNoneMatch value of the header: `*` or a list of ETags
 */
export function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const known = ifNoneMatch.split(',').map((value) => value.trim().replace(/^W\//, ''));
  return known.includes('*') || known.includes(etag);
}
