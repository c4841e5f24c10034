import { z } from 'zod';
import { envelope } from '../fields.ts';
import { newTokenRequestSchema } from './account-tokens.ts';

/** The 200 of `GET /api/identity`. */
export const identityResponseSchema = envelope(
  z.object({
    identity: z
      .string()
      .nullable()
      .describe('Who the proxy says you are. Null without single sign-on, or if it does not say.'),
    hasAccount: z.boolean().describe('Whether you have signed in before.'),
    isAdministrator: z
      .boolean()
      .describe('Whether `ADMIN_IDENTITIES` names you, so that you can administer this server.'),
  }),
);
export type IdentityResponse = z.output<typeof identityResponseSchema>;

/** The body of `POST /api/identity/token`. */
export const identityTokenRequestSchema = z.strictObject({
  name: newTokenRequestSchema.shape.name
    .default('Single sign-on')
    .describe('What the token is for: 1 to 100 characters.'),
});

/** The 200 of `POST /api/identity/admin`. */
export const adminSessionResponseSchema = envelope(
  z.object({
    token: z.string().describe('Accepted under `/api/admin`, as `ADMIN_TOKEN` is.'),
    expiresAt: z.iso.datetime().describe('Until when, in UTC.'),
  }),
);
export type AdminSessionResponse = z.output<typeof adminSessionResponseSchema>;
