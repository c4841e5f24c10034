import { z } from 'zod';
import { envelope } from '../schemas.ts';
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

/** The body of `POST /api/identity/proof`. */
export const identityProofRequestSchema = z.strictObject({
  keyId: z
    .string()
    .regex(/^[0-9a-f]{16}$/, 'Must be 16 hexadecimal digits in lower case.')
    .describe('The first 16 hexadecimal digits of the SHA-256 of a token.'),
  nonce: z
    .string()
    .regex(/^[\w-]{43}$/, 'Must be 32 bytes in base64url.')
    .describe('32 random bytes, in base64url.'),
});
export type IdentityProofRequest = z.output<typeof identityProofRequestSchema>;

/** The 200 of `POST /api/identity/proof`. */
export const identityProofResponseSchema = envelope(
  z.object({
    proof: z
      .string()
      .describe(
        'HMAC-SHA-256 of the bytes of the nonce, in base64url. Its key is the SHA-256 of the token, as bytes. For an unknown token, it is random.',
      ),
  }),
);
