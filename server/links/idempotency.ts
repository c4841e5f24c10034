import { hash } from 'node:crypto';
import {
  IDEMPOTENCY_KEY_MAX_CHARACTERS,
  IDEMPOTENCY_KEY_MIN_CHARACTERS,
} from '../../shared/bounds.ts';
import type { ParsedShortenRequest } from '../../shared/links/shorten-request.ts';
import { ServiceError, withIssue } from '../lib/service-error.ts';

/** Versions 4 and 7 (RFC 9562): of the others, whoever knows the time, the machine or a name knows the UUID. */
const RANDOM_UUID = /^[\da-f]{8}-[\da-f]{4}-[47][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;
/** In version 7, so many digits at the start are the time. */
const TIME_DIGITS = 12;
/** The digits of version and variant, without hyphens. */
const FIXED_DIGITS = [12, 16];

/** UUIDs in specifications, manuals and API tools, from which people copy them. In lower case. */
const EXAMPLES = new Set([
  '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
  '01695553-c90c-745a-b76f-770d7b3dcb6d',
  '067e6162-3b6f-4ae2-a171-2470b63dff00',
  '109156be-c4fb-41ea-b1b4-efe1671c5836',
  '10ba038e-48da-487b-96e8-8d3b99b6d18a',
  '110ec58a-a0f2-4ac4-8393-c866d813b8d1',
  '123e4567-e89b-42d3-a456-426614174000',
  '123e4567-e89b-42d3-a456-426655440000',
  '16fd2706-8baf-433b-82eb-8c7fada847da',
  '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
  '36b8f84d-df4e-4d49-b662-bcde71a8764f',
  '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  '550e8400-e29b-41d4-a716-446655440000',
  '67e55044-10b1-426f-9247-bb680e5fe0c8',
  '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b',
  '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  '8e03978e-40d5-43e8-bc93-6894a57f9324',
  '919108f7-52d1-4320-9bac-f847db4148a8',
  '936da01f-9abd-4d9d-80c7-02af85c822a8',
  '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d',
  'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
  'c73bcdcc-2669-4bf6-81d3-e4ae73fb11fd',
  'd290f1ee-6c54-4b01-90e6-d701748f0851',
  'de305d54-75b4-431b-adb2-eb6b9e546014',
  'f47ac10b-58cc-4372-a567-0e02b2c3d479',
  'f81d4fae-7dec-41d0-a765-00a0c91e6bf6',
]);

/** Whether a text is a UUID that nobody else has or guesses: of a random version, no example, and not typed. */
export function isRandomUuid(text: string): boolean {
  return RANDOM_UUID.test(text) && !EXAMPLES.has(text.toLowerCase()) && !isTyped(text);
}

/**
 * Whether its digits are few, or mostly repeat or count up, such as `11111111-1111-4111-8111-111111111111` or
 * `12345678-1234-4234-8234-123456789abc`. Of a hundred million random UUIDs, fewer than one of version 4 is.
 */
function isTyped(uuid: string): boolean {
  const hex = uuid.replaceAll('-', '');
  const isTimed = hex[FIXED_DIGITS[0] as number] === '7';
  const digits = [...hex]
    .filter((_, index) => !FIXED_DIGITS.includes(index) && !(isTimed && index < TIME_DIGITS))
    .map((digit) => Number.parseInt(digit, 16));
  const distinct = new Set(digits).size;
  const steps = digits.filter((digit, index) => {
    const step = digit - (digits[index - 1] ?? Number.NaN);
    return step === 0 || step === 1;
  }).length;
  return isTimed ? distinct <= 4 || steps >= 13 : distinct <= 6 || steps >= 18;
}

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
  throw withIssue(HEADER, message);
}

/** Returns what is stored of a key: a keyed hash of the key and its account (null for anonymous requests). */
export function hashKey(key: string, accountId: string | null, secret: Buffer): string {
  return hashWithSecret(['idempotency-key', accountId, key], secret);
}

/** Returns what is stored of a body: a keyed hash of what was parsed. Whitespace and order do not matter. */
export function hashBody(request: ParsedShortenRequest, secret: Buffer): string {
  const { originalUrl, ...options } = request;
  return hashWithSecret(['idempotency-body', originalUrl.text, sortedEntries(options)], secret);
}

/** Returns the same for the bodies of a batch, as sent. @throws ServiceError `invalid_request` */
export function hashBatch(bodies: unknown[], secret: Buffer): string {
  const entries = bodies.map((body) =>
    typeof body === 'object' && body !== null ? sortedEntries(body) : body,
  );
  try {
    return hashWithSecret(['idempotency-batch', entries], secret);
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
function hashWithSecret(value: unknown, secret: Buffer): string {
  return hash('sha512-256', secret.toString('hex') + JSON.stringify(value), 'base64url');
}
