import { z } from 'zod';
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX, TAG_MAX_CHARACTERS } from '../limits.ts';
import { LINK_STATUSES, linkRecordSchema } from './link-record.ts';

const SEARCH_MAX_CHARACTERS = 200;
const LIMIT_ERROR = `Must be a whole number from 1 to ${LIST_LIMIT_MAX}.`;

/** The query of `GET /api/links`. */
export const linkListQuerySchema = z.strictObject({
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, LIMIT_ERROR)
    .refine((value) => Number(value) <= LIST_LIMIT_MAX, LIMIT_ERROR)
    .transform(Number)
    .optional()
    .describe(`Number of links per page: 1 to ${LIST_LIMIT_MAX}, default ${LIST_LIMIT_DEFAULT}.`),
  cursor: z.string().optional().describe('`nextCursor` of the previous page.'),
  q: z
    .string()
    .trim()
    .max(SEARCH_MAX_CHARACTERS, `Must have at most ${SEARCH_MAX_CHARACTERS} characters.`)
    .optional()
    .describe('Part of an alias, the title, the target or a tag, regardless of case.'),
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
export type SentLinkListQuery = Omit<z.input<typeof linkListQuerySchema>, 'limit'> & {
  limit?: number;
};

/** The 200 of `GET /api/links`. */
export const linkListResponseSchema = z.object({
  success: z.literal(true),
  message: z.string().describe('Human-readable text.'),
  data: z.array(linkRecordSchema).describe('Newest first.'),
  nextCursor: z
    .string()
    .nullable()
    .describe('The `cursor` of the next page, or null on the last one.'),
});
export type LinkListResponse = z.output<typeof linkListResponseSchema>;
