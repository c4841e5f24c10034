import { z } from 'zod';
import { DOMAIN_MAX_CHARACTERS, WAIT_MAX_SECONDS } from '../bounds.ts';
import { envelope, readOnlyFields } from '../schemas.ts';
import { tokenInfoSchema } from './account-tokens.ts';

const accountSchema = z.object({
  name: z.string().describe('Name of the account, or an empty string.'),
  created: z.iso.datetime().describe('When the account was created, in UTC.'),
  domain: z.string().describe('Host of the domain of links that name none.'),
  links: z
    .int()
    .describe('Number of links of the account, including deleted ones that can be restored.'),
  quota: z.object({
    limit: z
      .int()
      .nullable()
      .describe('Links and new aliases per calendar month (UTC), or null if unlimited.'),
    used: z.int().describe('Links created this month, and new aliases of renamed ones.'),
    remaining: z.int().nullable().describe('Links left this month, or null if unlimited.'),
    resetsAt: z.iso.datetime().describe('When the quota resets, in UTC.'),
  }),
  rate: z.object({
    limit: z.int().describe('Requests per minute.'),
    remaining: z.int().describe('Requests left in the current window.'),
    resetsInSeconds: z
      .int()
      .max(WAIT_MAX_SECONDS)
      .describe('Whole seconds until the window ends, or 0 if none has started.'),
  }),
  tokens: z
    .array(tokenInfoSchema)
    .describe(
      'The tokens of the account, oldest first. A token with another scope than `all` gets itself only.',
    ),
});

/** The 200 of `GET /api/account`. */
export const accountResponseSchema = envelope(accountSchema);
export type AccountResponse = z.output<typeof accountResponseSchema>;

const editable = {
  domain: z
    .string()
    .max(DOMAIN_MAX_CHARACTERS, `Must have at most ${DOMAIN_MAX_CHARACTERS} characters.`)
    .nullable()
    .optional()
    .describe('Host of the domain of links that name none; null for that of the server.'),
};
const readOnly = readOnlyFields(accountSchema.shape, editable);

/** The body of `PATCH /api/account`. */
export const editOwnAccountRequestSchema = z.strictObject({ ...editable, ...readOnly });
