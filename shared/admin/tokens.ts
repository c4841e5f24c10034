import { z } from 'zod';
import { newTokenRequestSchema, tokenInfoSchema } from '../accounts/account-tokens.ts';
import { envelope } from '../envelope.ts';
import { nameOf } from '../fields.ts';
import { adminAccountParamsSchema } from './accounts.ts';

/** A token of an account, as the administrator sees it. */
export const adminTokenSchema = tokenInfoSchema.omit({ isCurrent: true });
export type AdminToken = z.output<typeof adminTokenSchema>;

/** The 200 of `GET /api/admin/accounts/:id/tokens`. */
export const adminTokenListResponseSchema = envelope(
  z.array(adminTokenSchema).describe('The tokens of the account, oldest first.'),
);

/** The body of `POST /api/admin/accounts/:id/tokens`. */
export const adminTokenRequestSchema = newTokenRequestSchema;

/** The 200 of `POST /api/admin/accounts/:id/tokens`. */
export const newAdminTokenResponseSchema = envelope(
  adminTokenSchema.extend({
    token: z.string().describe('The token. Pass it on: the server cannot show it again.'),
  }),
);
export type NewAdminTokenResponse = z.output<typeof newAdminTokenResponseSchema>;

export const adminTokenParamsSchema = adminAccountParamsSchema.extend({
  tokenId: nameOf('ID of the token.'),
});
