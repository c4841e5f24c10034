import { createHmac, hash } from 'node:crypto';

const TOKEN_BYTES = 32;
const TOKEN_PATTERN = /^curt_[A-Za-z0-9_-]{43}$/;

/** `curt_` and 256 random bits in base64url. */
export function newToken(randomBytes: (size: number) => Buffer): string {
  return `curt_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
}

/**
 * The token for an anonymous request with an idempotency key. It is derived from the key and a
 * stored salt, so a retry can return the same token although the token itself is never stored.
 */
export function tokenFromKey(idempotencyKey: string, salt: string, secret: Buffer): string {
  const bits = createHmac('sha256', secret)
    .update(JSON.stringify(['token', idempotencyKey, salt]))
    .digest('base64url');
  return `curt_${bits}`;
}

/** What is stored of a token: its SHA-256 (base64url). With 256 random bits, it needs no salt. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** @returns the token in an `Authorization` header, or null if it is not a Curt bearer token */
export function readBearerToken(header: string): string | null {
  const token = /^Bearer +(\S+) *$/i.exec(header)?.[1];
  return token && TOKEN_PATTERN.test(token) ? token : null;
}
