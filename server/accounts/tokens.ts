import { createHmac, hash } from 'node:crypto';

const PREFIX = 'curt_';
const TOKEN_BYTES = 32;
const BEARER_PATTERN = /^bearer +curt_([a-z0-9_-]{43}) *$/i;

/** `curt_` and 256 random bits in base64url. */
export function newToken(randomBytes: (size: number) => Buffer): string {
  return toToken(randomBytes(TOKEN_BYTES).toString('base64url'));
}

/**
 * The token of an anonymous call that carries an idempotency key: made from the key and a salt
 * that is kept, so that a replay can say it again though it lies on no disk.
 */
export function tokenFromKey(idempotencyKey: string, salt: string, secret: Buffer): string {
  const bits = createHmac('sha256', secret)
    .update(JSON.stringify(['token', idempotencyKey, salt]))
    .digest('base64url');
  return toToken(bits);
}

/** All that is kept of a token: its SHA-256, base64url. It has 256 random bits, so no salt is due. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** @returns the token of an `Authorization` header, or null where it is no bearer token of ours */
export function readBearerToken(header: string): string | null {
  const bits = BEARER_PATTERN.exec(header)?.[1];
  return bits === undefined ? null : toToken(bits);
}

/** A string of its own, neither in parts nor a part of the header: that is slow to write as JSON. */
function toToken(bits: string): string {
  return [PREFIX, bits].join('');
}
