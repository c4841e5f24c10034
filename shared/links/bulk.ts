import { z } from 'zod';
import { LIST_LIMIT_MAX } from '../bounds.ts';
import { errorCodeSchema } from '../errors.ts';
import { addressField, envelope, flag, pageParameters } from '../schemas.ts';
import { editRequestSchema } from './edit-request.ts';
import { linkFilterSchema } from './link-list.ts';

const edit = editRequestSchema.shape;

/** The query of `PATCH /api/links` and `DELETE /api/links`. */
export const bulkQuerySchema = z.strictObject({
  ...pageParameters('links'),
  ...linkFilterSchema.shape,
  all: flag('Must be `true` to change all links, without any filter.'),
  dryRun: flag('If `true`, counts the links that match and changes nothing.'),
});
export type BulkQuery = z.output<typeof bulkQuerySchema>;
export type SentBulkQuery = z.input<typeof bulkQuerySchema>;

/** The body of `PATCH /api/links`. */
export const bulkChangeSchema = z
  .strictObject({
    aliases: z
      .array(
        addressField(
          'Alias or previous alias; on another domain with its host: `go.example/sale`.',
        ),
      )
      .min(1, 'Must not be empty.')
      .max(LIST_LIMIT_MAX, `Must be at most ${LIST_LIMIT_MAX} aliases.`)
      .optional()
      .describe(`Changes these links, up to ${LIST_LIMIT_MAX}, instead of those of a filter.`),
    isActive: edit.isActive,
    isDeleted: z.boolean().optional().describe('Deletes the links, or restores deleted ones.'),
    addTags: edit.tags.describe('Tags to add; a link that has them already stays as it is.'),
    removeTags: edit.tags.describe('Tags to remove, regardless of case.'),
    expiresAt: edit.expiresAt,
    domain: edit.domain,
  })
  .refine(({ aliases: _, ...changes }) => Object.keys(changes).length > 0, 'Changes nothing.')
  .meta({ id: 'LinkChanges' });
export type BulkChange = z.output<typeof bulkChangeSchema>;
export type SentBulkChange = z.input<typeof bulkChangeSchema>;

/** The 200 of `PATCH /api/links` and `DELETE /api/links`. */
export const bulkResponseSchema = envelope(
  z
    .object({
      matched: z
        .number()
        .int()
        .describe('Number of links that match: on this page, or of all with `dryRun=true`.'),
      changed: z
        .array(z.string())
        .describe(
          'Aliases of the links that were changed, those on another domain with its host. Others were so already, or failed.',
        ),
      failed: z
        .array(z.object({ alias: z.string(), code: errorCodeSchema, message: z.string() }))
        .describe('Links that could not be changed, with the error of each.'),
      replaced: z
        .array(
          z.object({
            alias: z.string(),
            expiresAt: z.iso.datetime().nullable(),
            domain: z.string(),
          }),
        )
        .optional()
        .describe(
          'What the links of `changed` had before, in the same order: only after a change of `expiresAt` or `domain`.',
        ),
    })
    .meta({ id: 'ChangedLinks' }),
).extend({
  nextCursor: z
    .string()
    .nullable()
    .describe('The `cursor` of the next page, or null after the last one.'),
});
export type BulkResponse = z.output<typeof bulkResponseSchema>;
