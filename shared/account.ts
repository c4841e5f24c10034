import { z } from 'zod';

/** The 200 of `GET /api/account`. */
export const accountAnswerSchema = z.object({
  success: z.literal(true),
  message: z.string().describe('A short text for a person.'),
  data: z.object({
    created: z.iso.datetime().describe('When the account was opened, in UTC.'),
    links: z.number().describe('Links made under the account.'),
    quota: z.object({
      limit: z.number().nullable().describe('Links a calendar month (UTC); null for no limit.'),
      used: z.number().describe('Links made this month.'),
      remaining: z.number().nullable().describe('Links left this month; null for no limit.'),
      resetsAt: z.iso.datetime().describe('When the next month begins, in UTC.'),
    }),
    rate: z.object({
      limit: z.number().describe('Calls a minute.'),
      remaining: z.number().describe('Calls left in this minute.'),
      resetsInSeconds: z.number().describe('Whole seconds until the minute ends; 0 if none runs.'),
    }),
  }),
});
export type AccountAnswer = z.output<typeof accountAnswerSchema>;
