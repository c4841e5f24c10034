import { z } from 'zod';

/** The body of `GET /api/health`, by which clients recognize a Curt server. */
export const healthResponseSchema = z.object({
  status: z.literal('ok'),
  service: z.literal('curt'),
  version: z.string().describe('Version of the server.'),
  hasDomains: z
    .literal(true)
    .optional()
    .describe('Present if short links can have several domains: see `GET /api/domains`.'),
});
export type HealthResponse = z.output<typeof healthResponseSchema>;
