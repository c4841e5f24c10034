import { createHmac, hash } from 'node:crypto';

const TOKEN_BYTES = 32;
const BEARER_PATTERN = /^bearer +(curt_[a-z0-9_-]{43}) *$/i;

/** `curt_` and 256 random bits in base64url. */
export function newToken(randomBytes: (size: number) => Buffer): string {
  return `curt_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
}

/**
 * The token of an anonymous call that carries an idempotency key: made from the key and a salt
 * that is kept, so that a replay can say it again though it lies on no disk.
 */
export function tokenFromKey(idempotencyKey: string, salt: string, secret: Buffer): string {
  const bits = createHmac('sha256', secret)
    .update(JSON.stringify(['token', idempotencyKey, salt]))
    .digest('base64url');
  return `curt_${bits}`;
}

/** All that is kept of a token: its SHA-256, base64url. It has 256 random bits, so no salt is due. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** @returns the token of an `Authorization` header, or null where it is no bearer token of ours */
export function readBearerToken(header: string): string | null {
  return BEARER_PATTERN.exec(header)?.[1] ?? null;
}
