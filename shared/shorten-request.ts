import { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import {
  ALIAS_PATTERN,
  CONTAINER_PATTERN,
  CUSTOM_ALIAS_MAX_CHARACTERS,
  DESCRIPTION_MAX_CHARACTERS,
  PASSWORD_MAX_CHARACTERS,
  TITLE_MAX_CHARACTERS,
  WAIT_TIMER_MAX_SECONDS,
} from './limits.ts';
import { parseOriginalUrl } from './original-url.ts';

/** Characters as a person counts them: an emoji is one, though a string holds it as two units. */
const text = (min: number, max: number) =>
  z
    .string()
    .refine(
      (value) => {
        const length = [...value].length;
        return length >= min && length <= max;
      },
      `Must have ${min > 0 ? `${min} to ${max}` : `at most ${max}`} characters.`,
    )
    .refine((value) => value.isWellFormed(), 'Holds half a character (a lone surrogate).');

const positive = (unit: string) =>
  z
    .number()
    .positive(`Must be more than 0 ${unit}.`)
    .optional()
    .describe(`Expire after this many ${unit}; more than 0, fractions allowed.`);

const originalUrlSchema = z
  .string()
  .transform((input, context) => {
    const result = parseOriginalUrl(input);
    if (result.ok) return { text: result.originalUrl, url: result.url };
    context.addIssue({ code: 'custom', message: result.reason, params: errorCode('invalid_url') });
    return z.NEVER;
  })
  .describe('The long URL, http or https; `https://` is prepended where it has no protocol.');

export const customAliasSchema = z
  .string()
  .regex(
    ALIAS_PATTERN,
    `Must be 1 to ${CUSTOM_ALIAS_MAX_CHARACTERS} of the letters A–Z and a–z, digits, "-" and "_".`,
  );

export const EXPIRY_FIELDS = [
  'expiresAt',
  'expiresInMinutes',
  'expiresInHours',
  'expiresInDays',
] as const;

/**
 * The body of `POST /api/shorten`.
 * Source: specification, "Request body"; contract, "Request".
 */
export const shortenRequestSchema = z
  .strictObject({
    originalUrl: originalUrlSchema,
    customAlias: customAliasSchema
      .optional()
      .describe(
        'The ending of the short URL: 1 to 64 of `A–Z a–z 0–9 - _`, unique whatever its case. Made up where none is given.',
      ),
    password: text(1, PASSWORD_MAX_CHARACTERS)
      // Browsers drop them from what is typed or pasted into a password field.
      .regex(/^[^\r\n]*$/, 'Must not contain line breaks.')
      .optional()
      .describe(
        'Visitors must enter it to continue: 1 to 128 characters without line breaks. Stored only as a hash.',
      ),
    expiresAt: z
      .union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })], {
        error: 'Must be an ISO 8601 date and time with an offset or Z, as 2030-01-31T12:00:00Z.',
      })
      .optional()
      .describe('When the link stops working: ISO 8601 with an offset or `Z`, in the future.'),
    expiresInMinutes: positive('minutes'),
    expiresInHours: positive('hours'),
    expiresInDays: positive('days'),
    waitTimer: z
      .number()
      .min(0, 'Must be 0 to 300 seconds.')
      .max(WAIT_TIMER_MAX_SECONDS, 'Must be 0 to 300 seconds.')
      .optional()
      .describe('Seconds that a visitor waits on the preview page: 0 to 300; 0 by default.'),
    customGtmId: z
      .string()
      .regex(
        CONTAINER_PATTERN,
        'Must be "GTM-" and 4 to 10 capital letters or digits, as GTM-ABC1234.',
      )
      .optional()
      .describe('A tag-manager container, `GTM-XXXXXXX`, fired on the preview page.'),
    title: text(0, TITLE_MAX_CHARACTERS)
      .regex(/^\P{Cc}*$/u, 'Must not contain control characters or line breaks.')
      .optional()
      .describe('Kept with the link: up to 300 characters.'),
    description: text(0, DESCRIPTION_MAX_CHARACTERS)
      .regex(/^(\P{Cc}|[\r\n])*$/u, 'Must not contain control characters but line breaks.')
      .optional()
      .describe('Kept with the link: up to 2,000 characters, line breaks allowed.'),
    generateQR: z
      .boolean()
      .optional()
      .describe('True adds `data.qrCode`, a PNG of the short URL as a `data:` URL.'),
  })
  .superRefine((request, context) => {
    const given = EXPIRY_FIELDS.filter((field) => request[field] !== undefined);
    if (given.length < 2) return;
    context.addIssue({
      code: 'custom',
      path: [given[1] as string],
      message: `Send one of ${given.join(' and ')}, not ${given.length}.`,
      params: errorCode('conflicting_expiry'),
    });
  });

/** What a caller writes. */
export type ShortenRequest = z.input<typeof shortenRequestSchema>;
/** What the server holds once it is read: `originalUrl` trimmed, with its protocol, and parsed. */
export type ParsedShortenRequest = z.output<typeof shortenRequestSchema>;

/** An issue that has an error code of its own carries it here; all others are `invalid_request`. */
function errorCode(code: ErrorCode) {
  return { errorCode: code };
}
