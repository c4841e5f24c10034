import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import { NO_CONTROL_BUT_LINE_BREAKS, NO_CONTROL_CHARACTERS } from '../fields.ts';
import {
  ALIAS_PATTERN,
  CONTAINER_PATTERN,
  CUSTOM_ALIAS_MAX_CHARACTERS,
  DESCRIPTION_MAX_CHARACTERS,
  PASSWORD_MAX_CHARACTERS,
  TAG_MAX_CHARACTERS,
  TAGS_MAX,
  TITLE_MAX_CHARACTERS,
  WAIT_TIMER_MAX_SECONDS,
} from '../limits.ts';
import { parseOriginalUrl } from './original-url.ts';

/** Counts code points: an emoji is one character, although a string has two code units for it. */
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
    .refine((value) => value.isWellFormed(), 'Contains half a character (a lone surrogate).');

const positive = (unit: string) =>
  z
    .number()
    .positive(`Must be greater than 0 ${unit}.`)
    .optional()
    .describe(`Number of ${unit} after which the link expires: greater than 0, fractions allowed.`);

const originalUrlSchema = z
  .string()
  .transform((input, context) => {
    const result = parseOriginalUrl(input);
    if (result.ok) return { text: result.originalUrl, url: result.url };
    context.addIssue({ code: 'custom', message: result.reason, params: errorCode('invalid_url') });
    return z.NEVER;
  })
  .describe(
    'URL to shorten, http or https, up to 8,192 characters. `https://` is prepended if it has no protocol.',
  );

export const customAliasSchema = z
  .string()
  .regex(
    ALIAS_PATTERN,
    `Must be 1 to ${CUSTOM_ALIAS_MAX_CHARACTERS} of the letters A–Z and a–z, digits, "-" and "_".`,
  );

/** Trimmed, without those that differ from an earlier one only in letter case. */
const tagsSchema = z
  .array(
    z
      .string()
      .trim()
      .min(1, 'Must not be empty.')
      .refine(
        (tag) => [...tag].length <= TAG_MAX_CHARACTERS,
        `Must have at most ${TAG_MAX_CHARACTERS} characters.`,
      )
      .refine((tag) => tag.isWellFormed(), 'Contains half a character (a lone surrogate).')
      .regex(NO_CONTROL_CHARACTERS, 'Must not contain control characters or line breaks.'),
  )
  .max(TAGS_MAX, `Must be at most ${TAGS_MAX} tags.`)
  .transform((tags) => {
    const unique = new Map<string, string>();
    for (const tag of tags) if (!unique.has(tag.toLowerCase())) unique.set(tag.toLowerCase(), tag);
    return [...unique.values()];
  });

export const EXPIRY_FIELDS = [
  'expiresAt',
  'expiresInMinutes',
  'expiresInHours',
  'expiresInDays',
] as const;

/**
 * The body of `POST /api/shorten`.
 *
 * @see docs/api.md, "Create links"
 */
export const shortenRequestSchema = z
  .strictObject({
    originalUrl: originalUrlSchema,
    customAlias: customAliasSchema
      .optional()
      .describe(
        'Alias for the short URL: 1 to 64 of `A–Z a–z 0–9 - _`, unique regardless of case. Generated if omitted.',
      ),
    password: text(1, PASSWORD_MAX_CHARACTERS)
      // Browsers remove line breaks from password fields.
      .regex(/^[^\r\n]*$/, 'Must not contain line breaks.')
      .optional()
      .describe(
        'Password that visitors must enter: 1 to 128 characters, no line breaks. Stored only as a hash.',
      ),
    expiresAt: z
      .union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })], {
        error:
          'Must be an ISO 8601 date and time with an offset or Z, such as 2030-01-31T12:00:00Z.',
      })
      .optional()
      .describe('When the link expires: a future time in ISO 8601 with an offset or `Z`.'),
    expiresInMinutes: positive('minutes'),
    expiresInHours: positive('hours'),
    expiresInDays: positive('days'),
    waitTimer: z
      .number()
      .min(0, 'Must be 0 to 300 seconds.')
      .max(WAIT_TIMER_MAX_SECONDS, 'Must be 0 to 300 seconds.')
      .optional()
      .describe('Seconds that visitors wait on the preview page: 0 (default) to 300.'),
    customGtmId: z
      .string()
      .regex(
        CONTAINER_PATTERN,
        'Must be "GTM-" followed by 4 to 10 capital letters or digits, such as GTM-ABC1234.',
      )
      .optional()
      .describe('Tag Manager container to load on the preview page: `GTM-XXXXXXX`.'),
    title: text(0, TITLE_MAX_CHARACTERS)
      .regex(NO_CONTROL_CHARACTERS, 'Must not contain control characters or line breaks.')
      .optional()
      .describe('Title of the link: up to 300 characters.'),
    description: text(0, DESCRIPTION_MAX_CHARACTERS)
      .regex(
        NO_CONTROL_BUT_LINE_BREAKS,
        'Must not contain control characters other than line breaks.',
      )
      .optional()
      .describe('Description of the link: up to 2,000 characters, line breaks allowed.'),
    tags: tagsSchema
      .optional()
      .describe('Up to 10 tags of 1 to 40 characters. Duplicates in another case are removed.'),
    maxVisits: z
      .int('Must be a whole number.')
      .min(1, 'Must be 1 or more.')
      .optional()
      .describe(
        'Number of visitors after which the link stops working: 1 or more. No limit if omitted.',
      ),
    forwardQuery: z
      .boolean()
      .optional()
      .describe('If true, the query of a visit is added to the target. Default false.'),
    generateQR: z
      .boolean()
      .optional()
      .describe('If true, the response contains `data.qrCode`, the QR code of the short URL.'),
  })
  .superRefine(assertOneExpiry)
  .meta({ id: 'NewLink' });

/** The request as a client sends it. */
export type ShortenRequest = z.input<typeof shortenRequestSchema>;
/** The request after parsing: `originalUrl` is trimmed, has a protocol, and comes with its parsed form. */
export type ParsedShortenRequest = z.output<typeof shortenRequestSchema>;

/** The error code of an issue. Issues without one are `invalid_request`. */
function errorCode(code: ErrorCode) {
  return { errorCode: code };
}

/** At most one of the fields, null included, can be sent. */
export function assertOneExpiry(
  request: { [field in (typeof EXPIRY_FIELDS)[number]]?: unknown },
  context: z.RefinementCtx,
): void {
  const given = EXPIRY_FIELDS.filter((field) => request[field] !== undefined);
  if (given.length < 2) return;
  context.addIssue({
    code: 'custom',
    path: [given[1] as string],
    message: `Send only one of ${given.join(' and ')}.`,
    params: errorCode('conflicting_expiry'),
  });
}
