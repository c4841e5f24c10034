import { z } from 'zod';
import { TAGS_LISTED_MAX } from '../bounds.ts';
import { envelope } from '../schemas.ts';

const tagCountSchema = z
  .object({
    tag: z.string().describe('As one of the links has it, if they differ in case.'),
    count: z.number().int().describe('How many links have it, regardless of case.'),
  })
  .meta({ id: 'TagCount' });
export type TagCount = z.output<typeof tagCountSchema>;

/** The 200 of `GET /api/tags`. */
export const tagListResponseSchema = envelope(
  z
    .array(tagCountSchema)
    .max(TAGS_LISTED_MAX)
    .describe(`The most used tags first, at most ${TAGS_LISTED_MAX.toLocaleString('en')}.`),
);
