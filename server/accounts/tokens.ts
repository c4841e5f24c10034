import { createHmac, hash } from 'node:crypto';

const PREFIX = 'curt_';
const TOKEN_BYTES = 32;
const TOKEN_PATTERN = /^curt_([a-z0-9_-]{43})$/i;

/** `curt_` and 256 random bits in base64url. */
export function newToken(randomBytes: (size: number) => Buffer): string {
  return toToken(randomBytes(TOKEN_BYTES).toString('base64url'));
}

/**
 * The token for an anonymous request with an idempotency key. It is derived from the key and a
 * stored salt, so a retry can return the same token although the token itself is never stored.
 */
export function tokenFromKey(idempotencyKey: string, salt: string, secret: Buffer): string {
  const bits = createHmac('sha256', secret)
    .update(JSON.stringify(['token', idempotencyKey, salt]))
    .digest('base64url');
  return toToken(bits);
}

/** What is stored of a token: its SHA-256 (base64url). With 256 random bits, it needs no salt. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** @returns the token that a client has sent, or null if it is none of Curt's */
export function readToken(sent: string): string | null {
  const bits = TOKEN_PATTERN.exec(sent)?.[1];
  return bits === undefined ? null : toToken(bits);
}

/** A string of its own, neither in parts nor a part of the header: that is slow to write as JSON. */
function toToken(bits: string): string {
  return [PREFIX, bits].join('');
}
