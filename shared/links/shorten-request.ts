import { z } from 'zod';
import { ALIAS_PATTERN, CUSTOM_ALIAS_MAX_CHARACTERS, PASSWORD_MAX_CHARACTERS } from '../bounds.ts';
import { domainParameter, timeSchema } from '../schemas.ts';
import { trimText } from '../text.ts';
import { newLinkDestinations } from './destination-schemas.ts';
import { sentFields, text } from './plain-field-schemas.ts';
import { errorCode, originalUrlSchema } from './target-schemas.ts';

const positive = (unit: string) =>
  z
    .number()
    .positive(`Must be greater than 0 ${unit}.`)
    .optional()
    .describe(`Number of ${unit} after which the link expires: greater than 0, fractions allowed.`);

/** As records have it: empty for none. */
const customAliasSchema = z
  .string()
  .overwrite(trimText)
  .regex(
    new RegExp(`^$|${ALIAS_PATTERN.source}`),
    `Must be 1 to ${CUSTOM_ALIAS_MAX_CHARACTERS} of the letters A–Z and a–z, digits, "-" and "_".`,
  )
  .transform((alias) => alias || undefined);

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
        'Alias for the short URL: 1 to 64 of `A–Z a–z 0–9 - _`, unique regardless of case. Generated if omitted or empty.',
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
    expiresAt: timeSchema
      .optional()
      .describe('When the link expires: a future time in ISO 8601 with an offset or `Z`.'),
    expiresInMinutes: positive('minutes'),
    expiresInHours: positive('hours'),
    expiresInDays: positive('days'),
    ...sentFields,
    ...newLinkDestinations,
    maxVisits: z
      .int()
      .min(1, 'Must be 1 or more.')
      .optional()
      .describe(
        'Number of visitors after which the link stops working: 1 or more. No limit if omitted.',
      ),
    reuse: z
      .boolean()
      .optional()
      .describe(
        'If true, the response is the newest link of the account that already does what this request asks for, if there is one. A token without the scope `all` always creates a link.',
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
