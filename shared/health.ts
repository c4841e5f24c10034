import { z } from 'zod';

/** People read it. */
const VERSION_MAX_CHARACTERS = 100;
const SERVER_ID_MAX_CHARACTERS = 100;

/** The body of `GET /api/health`, by which clients recognize a Curt server. */
export const healthResponseSchema = z.object({
  status: z.literal('ok'),
  service: z.literal('curt'),
  version: z.string().max(VERSION_MAX_CHARACTERS).describe('Version of the server.'),
  serverId: z
    .string()
    .max(SERVER_ID_MAX_CHARACTERS)
    .optional()
    .describe(
      'Identifies the data of the server: it stays the same at another address, and after a restored backup or a copy.',
    ),
  baseUrl: z.url().optional().describe('What short URLs start with, on the domain of `BASE_URL`.'),
  hasDomains: z
    .literal(true)
    .optional()
    .describe('Present if short links can have several domains: see `GET /api/domains`.'),
  hasCountries: z
    .literal(true)
    .optional()
    .describe(
      'Present if the server knows the countries of visitors, so that rules can name them.',
    ),
  hasContainers: z
    .literal(true)
    .optional()
    .describe('Present if links can have a Tag Manager container.'),
  hasCompat: z
    .literal(true)
    .optional()
    .describe('Present if programs for YOURLS and Shlink can use the server.'),
});
export type HealthResponse = z.output<typeof healthResponseSchema>;
