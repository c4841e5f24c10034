import { z } from 'zod';
import type { LinkSummary, ListedLink } from './link.ts';

const fields = {
  shortUrl: z.url(),
  originalUrl: z.string(),
  title: z.string(),
  created: z.string(),
  expiresAt: z.string().nullable(),
  hasPassword: z.boolean(),
  waitTimerSeconds: z.number(),
  hasContainer: z.literal(true).optional(),
  isImported: z.literal(true).optional(),
};

export const linkSummarySchema: z.ZodType<LinkSummary> = z.object(fields);

export const listedLinkSchema: z.ZodType<ListedLink> = z.object({
  ...fields,
  serverOrigin: z.string(),
  requestedUrl: z.string(),
});
