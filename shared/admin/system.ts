import { z } from 'zod';
import { envelope } from '../envelope.ts';

/** The errors that mean that a limit was reached. */
export const LIMIT_CODES = [
  'rate_limited',
  'account_limit',
  'anonymous_limit',
  'quota_exceeded',
  'too_many_aliases',
  'too_many_tokens',
  'busy',
  'store_full',
] as const;

/** The 200 of `GET /api/admin/system`. */
export const systemResponseSchema = envelope(
  z.object({
    version: z.string().describe('Version of the server.'),
    started: z.iso.datetime().describe('When this server was started, in UTC.'),
    store: z.object({
      kind: z.enum(['json-file', 'postgresql']).describe('What keeps the data.'),
      bytes: z.int().describe('Size of the data that is in use.'),
      isWritable: z.boolean().describe('Whether it can be written right now.'),
      failedWrites: z.int().describe('Writes that have failed since the start.'),
      lastBackup: z.iso
        .datetime()
        .nullable()
        .describe(
          'When `curt backup` last saved the data folder, in UTC. Null: not known, as for a database.',
        ),
    }),
    limitsReached: z
      .array(
        z.object({
          code: z.enum(LIMIT_CODES).describe('The error code.'),
          count: z.int().describe('Responses with it.'),
        }),
      )
      .describe('The limits that requests have reached since the start of this server.'),
    warnings: z
      .array(z.string())
      .describe(
        'What is wrong with the settings or the data: the warnings in the log at the start.',
      ),
  }),
);
export type SystemResponse = z.output<typeof systemResponseSchema>;
