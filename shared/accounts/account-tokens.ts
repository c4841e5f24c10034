import { z } from 'zod';
import { TOKEN_NAME_MAX_CHARACTERS } from '../bounds.ts';
import { envelope, nameOf, oneOf, textLine } from '../schemas.ts';
import { isToken } from './token-text.ts';

const SCOPES = ['all', 'create', 'read'] as const;
const SCOPE = 'What the token allows: everything, only creating links, or only reading.';

/** The body of `POST /api/account/tokens`. */
export const newTokenRequestSchema = z.strictObject({
  name: textLine(TOKEN_NAME_MAX_CHARACTERS).describe(
    `What the token is for: 1 to ${TOKEN_NAME_MAX_CHARACTERS} characters.`,
  ),
  scope: z.enum(SCOPES).describe(SCOPE),
});
export type NewTokenRequest = z.input<typeof newTokenRequestSchema>;

/** A token of an account, as the API returns it. The token itself is returned only once. */
export const tokenInfoSchema = z.object({
  id: z.string().describe('Unique ID of the token. Not secret.'),
  name: z.string().describe('What the token is for, or an empty string.'),
  scope: oneOf(SCOPES).describe(SCOPE),
  created: z.iso.datetime().describe('When the token was created, in UTC.'),
  lastUsedOn: z.iso
    .date()
    .nullable()
    .describe('The day (UTC) on which the token was last used, or null.'),
  isCurrent: z.boolean().describe('Whether this request was sent with the token.'),
});
export type TokenInfo = z.output<typeof tokenInfoSchema>;

/** The 200 of `GET /api/account/tokens`. */
export const tokenListResponseSchema = envelope(
  z.array(tokenInfoSchema).describe('The tokens of the account, oldest first.'),
);

/** The 200 of `POST /api/account/tokens`. */
export const newTokenResponseSchema = envelope(
  tokenInfoSchema.extend({
    token: z
      .string()
      .refine(isToken)
      .describe('The token. Store it: the server cannot show it again.'),
  }),
);
export type NewTokenResponse = z.output<typeof newTokenResponseSchema>;

export const tokenParamsSchema = z.object({ id: nameOf('ID of the token.') });

export const revokeTokenQuerySchema = z.strictObject({
  confirm: z
    .literal('last')
    .optional()
    .describe('Required to revoke the last token with the scope `all`.'),
});

/** The body of `DELETE /api/account`. */
export const deleteAccountRequestSchema = z.strictObject({
  confirm: z.literal('delete', 'Must be "delete".').describe('`delete`.'),
});

/** The 200 of requests that only delete. */
export const doneResponseSchema = envelope(z.null());
