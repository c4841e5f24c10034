import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../lib/time.ts';
import type { Link } from '../store/link.ts';
import { passedQuery, type Visit } from './visit.ts';

/** How long a go-link is valid after the wait, for visitors who choose "Stay here". */
const GO_LINK_LIFETIME_MS = 10 * 60 * 1000;

export type GoLinkCheck =
  | { verdict: 'valid' | 'expired' | 'forged' }
  | { verdict: 'too_early'; remainingMs: number };

/**
 * Creates the token of a go-link, which redirects to the target after the wait. The server stores
 * nothing for it: it is an HMAC over the link, its password hash and the start time. It does not
 * contain the target.
 *
 * @returns the value of `?t=`: `<not-before ms, base 36>.<HMAC-SHA256, base64url>`
 * @see docs/api.md, "Visit a short link"
 */
export function signGoLink(link: Link, notBefore: number, secret: Buffer): string {
  const start = Math.ceil(notBefore).toString(36);
  return `${start}.${signature(link, start, secret)}`;
}

/** @param token untrusted value from the query */
export function checkGoLink(token: unknown, link: Link, now: number, secret: Buffer): GoLinkCheck {
  const [start = '', given = '', ...rest] = typeof token === 'string' ? token.split('.') : [];
  const expected = Buffer.from(signature(link, start, secret));
  const actual = Buffer.from(given);
  if (rest.length > 0 || actual.length !== expected.length || !timingSafeEqual(actual, expected)) {
    return { verdict: 'forged' };
  }
  const notBefore = Number.parseInt(start, 36);
  if (now < notBefore) return { verdict: 'too_early', remainingMs: notBefore - now };
  return { verdict: now < notBefore + GO_LINK_LIFETIME_MS ? 'valid' : 'expired' };
}

/** Includes the password hash, so that changing the password invalidates earlier go-links. */
function signature(link: Link, start: string, secret: Buffer): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['go', link.id, link.passwordHash, start]))
    .digest('base64url');
}

/** Returns the path that a visit came by, with the query that pages pass on. @param end such as `+` */
export function visitedPath({ alias, url }: Visit, link: Link, end = ''): string {
  const query = passedQuery(link, url);
  return `/${alias}${end}${query && `?${query}`}`;
}

/** Returns the path of a go-link. Its token is the first parameter. */
export function goPath(
  visit: Visit,
  link: Link,
  { clock, secret }: { clock: Clock; secret: Buffer },
  waitMs = 0,
): string {
  const token = signGoLink(link, clock() + waitMs, secret);
  const query = passedQuery(link, visit.url);
  return `/${visit.alias}/go?t=${token}${query && `&${query}`}`;
}
