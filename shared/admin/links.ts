import { z } from 'zod';
import { LINKS_COUNTED_MAX } from '../bounds.ts';
import { linkFilterSchema } from '../links/link-list.ts';
import { linkRecordSchema } from '../links/link-record.ts';
import { administratorsFields } from '../links/plain-field-schemas.ts';
import { ADMINISTRATORS_SEARCHED_TEXT } from '../links/plain-fields.ts';
import {
  envelope,
  nameOf,
  pageOf,
  pageParameters,
  searchParameter,
  selecting,
} from '../schemas.ts';

/**
 * A link of any account, as the administrator sees it. What a record has is private unless it is named
 * here or, for a plain field, in the table.
 */
export const adminLinkSchema = z
  .object({
    ...linkRecordSchema.pick({
      id: true,
      alias: true,
      shortUrl: true,
      originalUrl: true,
      customAlias: true,
      domain: true,
      rules: true,
      startsAt: true,
      goneUrl: true,
      card: true,
      hasPassword: true,
      isActive: true,
      status: true,
      expiresAt: true,
      hits: true,
      maxVisits: true,
      previousAliases: true,
      created: true,
      modified: true,
      version: true,
    }).shape,
    targetUrl: z
      .string()
      .describe('The target in its serialized form, to which visitors are sent.'),
    ...administratorsFields,
    accountId: z.string().describe('ID of the account that the link belongs to.'),
  })
  .meta({ id: 'AdminLink' });
export type AdminLink = z.output<typeof adminLinkSchema>;

/** The query of `GET /api/admin/links`. */
export const adminLinkListQuerySchema = z.strictObject({
  ...pageParameters('links'),
  q: searchParameter(
    `Words in any order, each part of ${ADMINISTRATORS_SEARCHED_TEXT}, regardless of case and diacritics. A short URL finds its link.`,
  ),
  host: selecting(
    z
      .string()
      .optional()
      .describe('Only links to this host and its subdomains, such as `example.com`.'),
  ),
  accountId: selecting(
    nameOf('ID of an account.').optional().describe('Only links of this account.'),
  ),
  ...linkFilterSchema.pick({ domain: true, status: true }).shape,
});
export type AdminLinkListQuery = z.output<typeof adminLinkListQuerySchema>;

/** The query of `GET /api/admin/links/count`. */
export const adminLinkCountQuerySchema = adminLinkListQuerySchema.omit({
  limit: true,
  cursor: true,
});
export type AdminLinkCountQuery = z.output<typeof adminLinkCountQuerySchema>;

/** The 200 of `GET /api/admin/links/count`. */
export const adminLinkCountResponseSchema = envelope(
  z.object({
    count: z.int().describe(`Number of links, up to ${LINKS_COUNTED_MAX}.`),
    isComplete: z.boolean().describe('False: there may be more.'),
  }),
);

/** The 200 of `GET /api/admin/links`. */
export const adminLinkListResponseSchema = pageOf(adminLinkSchema, 'Newest first.');
