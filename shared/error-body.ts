import { z } from 'zod';
import { errorCodeSchema, type Issue } from './errors.ts';
import { linkRecordSchema } from './links/link-record.ts';

const issueSchema: z.ZodType<Issue> = z.object({
  path: z.string().describe('The invalid field or header, or an empty string for the whole body.'),
  message: z.string().describe('What is wrong and how to fix it. Human-readable.'),
});

/** The body of every error response under `/api`. */
export const errorBodySchema = z
  .object({
    success: z.literal(false),
    message: z.string().describe('What went wrong. Human-readable.'),
    code: errorCodeSchema.describe('What went wrong. Machine-readable.'),
    issues: z.array(issueSchema).optional().describe('With status 400: the invalid fields.'),
    suggestions: z
      .array(z.string())
      .optional()
      .describe('With `alias_taken`: three available aliases.'),
    current: linkRecordSchema
      .optional()
      .describe('With `version_mismatch`: the link as it is now.'),
  })
  .meta({ id: 'Error' });
export type ErrorBody = z.output<typeof errorBodySchema>;
