import { z } from 'zod';
import { DOMAIN_MAX_CHARACTERS } from '../bounds.ts';
import { envelope } from '../schemas.ts';

/** A domain that the caller may use. */
const domainSchema = z
  .object({
    host: z
      .string()
      .max(DOMAIN_MAX_CHARACTERS)
      .describe('Host in ASCII: what `domain` of a new link names.'),
    displayHost: z
      .string()
      .max(DOMAIN_MAX_CHARACTERS)
      .describe('The host as people read it, such as `bücher.example`.'),
    baseUrl: z.string().describe('What its short URLs begin with, such as `https://go.example`.'),
    isDefault: z.boolean().describe('Whether new links get it if they name none.'),
  })
  .meta({ id: 'Domain' });
export type Domain = z.output<typeof domainSchema>;

/** The 200 of `GET /api/domains`. */
export const domainListResponseSchema = envelope(
  z.array(domainSchema).describe('The domains that the account may use, the default first.'),
);

/** The query of `GET /api/domains/ask`. Certificate clients may send more. */
export const askQuerySchema = z.object({
  domain: z.string().min(1, 'Must not be empty.').max(1000).describe('Host, such as `go.example`.'),
});
