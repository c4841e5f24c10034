import { z } from 'zod';
import { recordDestinations } from '../../shared/links/destination-schemas.ts';
import { recordFields } from '../../shared/links/field-schemas.ts';
import { LINK_STATUSES } from '../../shared/links/link-status.ts';
import type { ServerState } from '../../shared/links/shown-link.ts';
import type { LinkSummary, ListedLink } from './link.ts';

const {
  title: _,
  waitTimer: __,
  ...ofServer
} = z
  .object({
    ...recordFields,
    ...recordDestinations,
  })
  .partial().shape;

const serverStateSchema: z.ZodType<ServerState> = z.object({
  id: z.string(),
  version: z.number(),
  status: z.enum(LINK_STATUSES).optional(),
  hits: z.number().optional(),
  ...ofServer,
  maxVisits: z.number().optional(),
  manyWrongPasswords: z.literal(true).optional(),
  previousAliases: z.array(z.string()).optional(),
});

const fields = {
  shortUrl: z.url(),
  originalUrl: z.string(),
  title: z.string(),
  created: z.string(),
  expiresAt: z.string().nullable(),
  hasPassword: z.boolean(),
  waitTimer: z.number(),
  hasContainer: z.literal(true).optional(),
  serverState: serverStateSchema.optional(),
};

export const linkSummarySchema: z.ZodType<LinkSummary> = z.object(fields);

export const listedLinkSchema: z.ZodType<ListedLink> = z.object({
  ...fields,
  serverOrigin: z.string(),
  requestedUrl: z.string(),
});
