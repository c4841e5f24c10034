import { z } from 'zod';
import { nameOf, pageOf, pageParameters } from '../schemas.ts';
import { adminLinkSchema } from './links.ts';

/** A link that visitors reported. */
const reportedLinkSchema = z
  .object({
    link: adminLinkSchema,
    count: z.int().describe('How often it was reported.'),
    reports: z
      .array(
        z.object({
          time: z.iso.datetime().describe('When, in UTC.'),
          reason: z.string().describe('What is wrong with the link, as the visitor says.'),
          contact: z.string().describe('How to reach the visitor, or an empty string.'),
        }),
      )
      .describe('The last 10, newest first.'),
  })
  .meta({ id: 'ReportedLink' });
export type ReportedLink = z.output<typeof reportedLinkSchema>;

/** The query of `GET /api/admin/reports`. */
export const reportsQuerySchema = z.strictObject(pageParameters('links'));

/** The 200 of `GET /api/admin/reports`. */
export const reportsResponseSchema = pageOf(reportedLinkSchema, 'Reported last first.');

export const reportParamsSchema = z.object({ alias: nameOf('Alias of the link.') });
