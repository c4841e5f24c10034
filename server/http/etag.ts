import { createHash } from 'node:crypto';

/** A strong validator of an answer that these values determine, byte for byte. */
export function etagOf(...values: string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(values)).digest('base64url');
  return `"${hash.slice(0, 22)}"`;
}

/**
 * Whether the client has the current answer already, so that 304 is enough.
 *
 * Source: RFC 9110, section 13.1.2; the comparison is weak, as it says.
 *
 * @param ifNoneMatch the header as it came: `*` or a list of ETags
 */
export function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const known = ifNoneMatch.split(',').map((value) => value.trim().replace(/^W\//, ''));
  return known.includes('*') || known.includes(etag);
}
