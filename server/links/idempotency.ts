import { hash } from 'node:crypto';
import {
  IDEMPOTENCY_KEY_MAX_CHARACTERS,
  IDEMPOTENCY_KEY_MIN_CHARACTERS,
} from '../../shared/limits.ts';
import type { ParsedShortenRequest } from '../../shared/links/shorten-request.ts';
import { ServiceError } from '../lib/service-error.ts';
import { isRandomUuid } from './random-uuid.ts';

const HEADER = 'Idempotency-Key';
const KEY_PATTERN = new RegExp(
  `^[!-~]{${IDEMPOTENCY_KEY_MIN_CHARACTERS},${IDEMPOTENCY_KEY_MAX_CHARACTERS}}$`,
);

/**
 * Validates an `Idempotency-Key`. Without a token it must be a random UUID: anonymous keys share one
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
    if (!isAnonymous || isRandomUuid(header)) return header;
  }
  const message = isAnonymous
    ? `Without a token, the ${HEADER} header must be a random UUID: of version 4 or 7, and no example.`
    : `The ${HEADER} header must be ${IDEMPOTENCY_KEY_MIN_CHARACTERS} to ${IDEMPOTENCY_KEY_MAX_CHARACTERS} visible ASCII characters.`;
  throw new ServiceError('invalid_request', message, { issues: [{ path: HEADER, message }] });
}

/** What is stored of a key: a keyed hash of the key and its account (null for anonymous requests). */
export function hashKey(key: string, accountId: string | null, secret: Buffer): string {
  return keyedHash(['idempotency-key', accountId, key], secret);
}

/** What is stored of a body: a keyed hash of what was parsed. Whitespace and order do not matter. */
export function hashBody(request: ParsedShortenRequest, secret: Buffer): string {
  const { originalUrl, ...options } = request;
  return keyedHash(['idempotency-body', originalUrl.text, sortedEntries(options)], secret);
}

/** The same for the bodies of a batch, as sent. @throws ServiceError `invalid_request` */
export function hashBatch(bodies: unknown[], secret: Buffer): string {
  const entries = bodies.map((body) =>
    typeof body === 'object' && body !== null ? sortedEntries(body) : body,
  );
  try {
    return keyedHash(['idempotency-batch', entries], secret);
  } catch (error) {
    // Node.js 24 reads JSON that is nested so deeply that it cannot write it.
    if (!(error instanceof RangeError)) throw error;
    throw new ServiceError('invalid_request', 'The batch is nested too deeply.');
  }
}

/** Sorts by keys alone: values of a client can be anything, also what has no text. */
function sortedEntries(body: object): [key: string, value: unknown][] {
  return Object.entries(body).sort(([one], [other]) => (one < other ? -1 : 1));
}

/**
 * The hash of a secret of fixed length and a value. With SHA-256 this would allow length extension,
 * which SHA-512/256 does not: it returns only half of its state. An HMAC is as safe and takes twice as
 * long, because Node.js creates an object for it.
 */
function keyedHash(value: unknown, secret: Buffer): string {
  return hash('sha512-256', secret.toString('hex') + JSON.stringify(value), 'base64url');
}
