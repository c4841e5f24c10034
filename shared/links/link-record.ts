import { z } from 'zod';
import { isToken } from '../accounts/token-text.ts';
import { VISITS_DAYS } from '../bounds.ts';
import { envelope, oneOf } from '../schemas.ts';
import { recordDestinations } from './destination-schemas.ts';
import { LINK_STATUSES } from './link-status.ts';
import { recordFields } from './plain-field-schemas.ts';
import { isShortUrl, isTarget } from './target-schemas.ts';

const utc = () => z.iso.datetime();

/**
 * A link as the API returns it. All fields are always present, except `visits30` and `qrCode`.
 *
 * @see docs/api.md, "Create links"
 */
export const linkRecordSchema = z
  .object({
    id: z.string().describe('Unique ID of the link.'),
    alias: z.string().describe('Alias of the link: the path of its short URL.'),
    shortUrl: z.url().refine(isShortUrl).describe('The short URL.'),
    originalUrl: z
      .string()
      // Not `z.url()`, which the API reference would have as an ASCII-only URI.
      .refine(isTarget)
      .describe('The target as sent, with `https://` prepended if it had no protocol.'),
    customAlias: z
      .string()
      .describe('The requested alias, or an empty string if it was generated.'),
    domain: z.string().describe('Host of the short URL, with the port if it has one.'),
    ...recordFields,
    ...recordDestinations,
    hasPassword: z.boolean().describe('Whether the link is password-protected.'),
    manyWrongPasswords: z
      .boolean()
      .describe(
        'Whether somebody seems to guess the password: 100 wrong ones within an hour, the last of them less than an hour ago.',
      ),
    isActive: z.boolean().describe('Whether the link is switched on.'),
    status: oneOf(LINK_STATUSES, 'inactive').describe(
      'What the link is for visitors: `active`, `scheduled`, `inactive`, `expired`, `used_up`, `domain_removed`, `blocked` or `deleted`.',
    ),
    expiresAt: utc()
      .nullable()
      .describe('When the link expires, in UTC, or null if it never does.'),
    hits: z.int().describe('Number of visitors redirected to the target; 0 for a new link.'),
    visits30: z
      .array(z.int())
      .length(VISITS_DAYS)
      .optional()
      .describe(
        'Visitors on each of the last 30 days (UTC), oldest first, today last; only with `include=visits30`.',
      ),
    maxVisits: z
      .int()
      .nullable()
      .describe('Number of visitors after which the link stops working, or null.'),
    previousAliases: z
      .array(z.string())
      .describe('Earlier aliases, which still lead to the link, oldest first.'),
    created: utc().describe('When the link was created, in UTC.'),
    modified: utc().describe('When the link was last modified, in UTC.'),
    version: z.int().describe('1 for a new link, and one more with each edit.'),
    qrCode: z
      .string()
      .optional()
      .describe(
        'QR code of the short URL as a `data:image/png;base64,…` URL, only with `generateQR`.',
      ),
  })
  .meta({ id: 'Link' });
export type LinkRecord = z.output<typeof linkRecordSchema>;

/** What `POST /api/shorten` returns. Nothing else tells a token that a client has not sent. */
export const createdLinkSchema = linkRecordSchema
  .extend({
    authToken: z.string().describe("The account's token."),
    newAuthToken: z
      .string()
      .refine(isToken)
      .optional()
      .describe('The same token, only if this request created the account.'),
    isReused: z
      .boolean()
      .describe(
        'Whether the link was there before this request, which asked for that with `reuse`.',
      ),
  })
  .meta({ id: 'CreatedLink' });
export type CreatedLinkRecord = z.output<typeof createdLinkSchema>;

/** The body of a successful `POST /api/shorten`. */
export const shortenResponseSchema = envelope(createdLinkSchema);
