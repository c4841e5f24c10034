import { z } from 'zod';
import { pageOf, pageParameters, searchParameter } from '../fields.ts';
import { TAG_MAX_CHARACTERS } from '../limits.ts';
import { SEARCHED_TEXT } from './fields.ts';
import { LINK_STATUSES, linkRecordSchema } from './link-record.ts';

/** The query of `GET /api/links`. */
export const linkListQuerySchema = z.strictObject({
  ...pageParameters('links'),
  q: searchParameter(`Part of ${SEARCHED_TEXT}, regardless of case.`),
  tag: z
    .string()
    .trim()
    .max(TAG_MAX_CHARACTERS * 2, `Must have at most ${TAG_MAX_CHARACTERS} characters.`)
    .optional()
    .describe('A tag, regardless of case.'),
  status: z
    .enum(LINK_STATUSES)
    .optional()
    .describe('Only links with this status. Deleted links are listed only with `deleted`.'),
});

export type LinkListQuery = z.output<typeof linkListQuerySchema>;

/** As a client sends it. */
export type SentLinkListQuery = z.input<typeof linkListQuerySchema>;

/** The 200 of `GET /api/links`. */
export const linkListResponseSchema = pageOf(linkRecordSchema, 'Newest first.');
export type LinkListResponse = z.output<typeof linkListResponseSchema>;
