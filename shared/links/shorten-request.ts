import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import { domainParameter } from '../fields.ts';
import { ALIAS_PATTERN, CUSTOM_ALIAS_MAX_CHARACTERS, PASSWORD_MAX_CHARACTERS } from '../limits.ts';
import { newLinkFields, text } from './field-schemas.ts';
import { parseOriginalUrl } from './original-url.ts';

const positive = (unit: string) =>
  z
    .number()
    .positive(`Must be greater than 0 ${unit}.`)
    .optional()
    .describe(`Number of ${unit} after which the link expires: greater than 0, fractions allowed.`);

export const originalUrlSchema = z
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
    domain: domainParameter(
      'Host of the short URL: one of the domains that the account can use. Default: the one that the account has chosen, or that of the server.',
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
    ...newLinkFields,
    maxVisits: z
      .int('Must be a whole number.')
      .min(1, 'Must be 1 or more.')
      .optional()
      .describe(
        'Number of visitors after which the link stops working: 1 or more. No limit if omitted.',
      ),
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
