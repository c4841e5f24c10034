import { z } from 'zod';
import { TOKEN_NAME_MAX_CHARACTERS } from '../bounds.ts';
import { envelope, textLine } from '../schemas.ts';
import { isToken } from './token-text.ts';

/** The 200 of `POST /api/account/sign-in-codes`. */
export const signInCodeResponseSchema = envelope(
  z.object({
    url: z
      .url()
      .describe(
        'An address of the dashboard that signs in, once: `<BASE_URL>/dashboard#code=<code>`.',
      ),
    expiresAt: z.iso.datetime().describe('Until when it works, in UTC: 10 minutes.'),
  }),
);

export type SignInCodeResponse = z.output<typeof signInCodeResponseSchema>;

/** The body of `POST /api/sign-in-codes/redeem`. */
export const redeemCodeRequestSchema = z.strictObject({
  code: z.string().describe('What follows `#code=` in the address.'),
  name: textLine(TOKEN_NAME_MAX_CHARACTERS)
    .optional()
    .describe(
      `Who signs in, such as the browser: 1 to ${TOKEN_NAME_MAX_CHARACTERS} characters. The new token has this name.`,
    ),
});

/** The 200 of `POST /api/sign-in-codes/redeem`. */
export const redeemCodeResponseSchema = envelope(
  z.object({
    token: z
      .string()
      .refine(isToken)
      .describe(
        'A new token of the account, with the scope `all`. Store it: the server cannot show it again.',
      ),
  }),
);
