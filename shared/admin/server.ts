import { z } from 'zod';
import { envelope, oneOf } from '../schemas.ts';

/** The errors that mean that a limit was reached. */
export const LIMIT_CODES = [
  'rate_limited',
  'account_limit',
  'anonymous_limit',
  'quota_exceeded',
  'too_many_aliases',
  'too_many_tags',
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
      kind: oneOf(['json-file', 'postgresql']).describe('What keeps the data.'),
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
          code: oneOf(LIMIT_CODES).describe('The error code.'),
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

/** Days in an overview, today included. */
export const OVERVIEW_DAYS = 15;

const counts = {
  links: z.int().describe('New links, also those that were deleted since.'),
  visits: z.int().describe('Visits by people, as in `hits`.'),
  accounts: z.int().describe('New accounts.'),
  reports: z.int().describe('Reports of links; of a link, at most its last 10.'),
};

/** The 200 of `GET /api/admin/overview`. Days are in UTC. */
export const overviewResponseSchema = envelope(
  z.object({
    today: z.object(counts).describe('The current day (UTC), until now.'),
    yesterday: z.object(counts).describe('The day before.'),
    week: z.object(counts).describe('The 7 days before today.'),
    weekBefore: z.object(counts).describe('The 7 days before those.'),
    days: z
      .array(z.object({ start: z.iso.datetime().describe('Start of the day, in UTC.'), ...counts }))
      .describe(`The last ${OVERVIEW_DAYS} days in order, today last.`),
  }),
);
export type Overview = z.output<typeof overviewResponseSchema>['data'];
export type OverviewCounts = Overview['today'];
