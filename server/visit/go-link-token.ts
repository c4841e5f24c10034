import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Link } from '../store/store.ts';

/** How long a go-link works once its wait is over: room for "Stay here". */
const GO_LINK_LIFETIME_MS = 10 * 60 * 1000;

export type GoLinkCheck =
  | { verdict: 'valid' | 'ended' | 'forged' }
  | { verdict: 'too_early'; remainingMs: number };

/**
 * A go-link lets a visitor through after the wait, and holds no state on the server: an HMAC over
 * the link, its password as it is now, and two moments. The target's address is not in it.
 *
 * @returns the value of `?t=`: `<not-before ms, base 36>.<HMAC-SHA256, base64url>`
 * Source: contract, "Visiting a short link".
 */
export function signGoLink(link: Link, notBefore: number, secret: Buffer): string {
  const start = Math.ceil(notBefore).toString(36);
  return `${start}.${signature(link, start, secret)}`;
}

/** @param token as it came in: anything at all */
export function checkGoLink(token: unknown, link: Link, now: number, secret: Buffer): GoLinkCheck {
  const [start = '', given = '', ...rest] = typeof token === 'string' ? token.split('.') : [];
  const expected = Buffer.from(signature(link, start, secret));
  const actual = Buffer.from(given);
  if (rest.length > 0 || actual.length !== expected.length || !timingSafeEqual(actual, expected)) {
    return { verdict: 'forged' };
  }
  const notBefore = Number.parseInt(start, 36);
  if (now < notBefore) return { verdict: 'too_early', remainingMs: notBefore - now };
  return { verdict: now < notBefore + GO_LINK_LIFETIME_MS ? 'valid' : 'ended' };
}

/** A changed password changes its hash, and so ends the go-links that the old one opened. */
function signature(link: Link, start: string, secret: Buffer): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['go', link.id, link.passwordHash, start]))
    .digest('base64url');
}
