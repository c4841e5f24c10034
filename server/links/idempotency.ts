import { createHmac } from 'node:crypto';
import { z } from 'zod';
import {
  IDEMPOTENCY_KEY_MAX_CHARACTERS,
  IDEMPOTENCY_KEY_MIN_CHARACTERS,
} from '../../shared/limits.ts';
import type { ParsedShortenRequest } from '../../shared/shorten-request.ts';
import { ServiceError } from '../core/service-error.ts';

const HEADER = 'Idempotency-Key';
const KEY_PATTERN = new RegExp(
  `^[!-~]{${IDEMPOTENCY_KEY_MIN_CHARACTERS},${IDEMPOTENCY_KEY_MAX_CHARACTERS}}$`,
);

/** The nil and max UUIDs, which are easy to guess. */
const FILLER_UUID = /^[0-]+$|^[f-]+$/i;

/**
 * Validates an `Idempotency-Key`. Without a token it must be a UUID: anonymous keys share one
 * namespace, and whoever guesses a key receives the token of its account.
 *
 * @throws ServiceError `invalid_request`
 * @see docs/api.md, "Retry safely"
 */
export function readIdempotencyKey(
  header: string | string[] | undefined,
  isAnonymous: boolean,
): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && KEY_PATTERN.test(header)) {
    if (!isAnonymous || (z.uuid().safeParse(header).success && !FILLER_UUID.test(header))) {
      return header;
    }
  }
  const message = isAnonymous
    ? `Without a token, the ${HEADER} header must be a UUID.`
    : `The ${HEADER} header must be ${IDEMPOTENCY_KEY_MIN_CHARACTERS} to ${IDEMPOTENCY_KEY_MAX_CHARACTERS} visible ASCII characters.`;
  throw new ServiceError('invalid_request', message, { issues: [{ path: HEADER, message }] });
}

/** What is stored of a key: an HMAC over the key and its account (null for anonymous requests). */
export function hashKey(key: string, accountId: string | null, secret: Buffer): string {
  return hmac(['idempotency-key', accountId, key], secret);
}

/** What is stored of a body. It is hashed after parsing: whitespace and order do not matter. */
export function hashBody(request: ParsedShortenRequest, secret: Buffer): string {
  return hmac(['idempotency-body', Object.entries(request).sort()], secret);
}

/** The same for the bodies of a batch, as sent. */
export function hashBatch(bodies: unknown[], secret: Buffer): string {
  const entries = bodies.map((body) =>
    typeof body === 'object' && body !== null ? Object.entries(body).sort() : body,
  );
  return hmac(['idempotency-batch', entries], secret);
}

function hmac(value: unknown, secret: Buffer): string {
  return createHmac('sha256', secret).update(JSON.stringify(value)).digest('base64url');
}
