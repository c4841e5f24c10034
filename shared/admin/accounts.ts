import { z } from 'zod';
import { newTokenRequestSchema, tokenInfoSchema } from '../accounts/account-tokens.ts';
import {
  ACCOUNT_NAME_MAX_CHARACTERS,
  MONTHLY_QUOTA_MAX,
  REASON_MAX_CHARACTERS,
} from '../bounds.ts';
import {
  envelope,
  nameOf,
  oneOf,
  pageOf,
  pageParameters,
  readOnlyFields,
  searchParameter,
  textLine,
} from '../schemas.ts';

const name = () =>
  textLine(ACCOUNT_NAME_MAX_CHARACTERS).describe(
    `Who the account is for: 1 to ${ACCOUNT_NAME_MAX_CHARACTERS} characters.`,
  );

const MONTHLY_QUOTA =
  "Links per calendar month (UTC): a number, `unlimited`, or null for the server's default.";

/** 0 is rejected because it is ambiguous, as in the setting `MONTHLY_QUOTA`. */
const monthlyQuota = () =>
  z
    .union(
      [z.int().min(1).max(MONTHLY_QUOTA_MAX), z.literal('unlimited')],
      `Must be a whole number from 1 to ${MONTHLY_QUOTA_MAX}, "unlimited" or null.`,
    )
    .nullable()
    .describe(MONTHLY_QUOTA);

const reason = () =>
  textLine(REASON_MAX_CHARACTERS).describe(
    `Why: 1 to ${REASON_MAX_CHARACTERS} characters. The owner of the account reads it.`,
  );

/** Why and since when. */
const datedReason = (what: string) =>
  z
    .object({
      reason: z.string().describe('Why.'),
      since: z.iso.datetime().describe('Since when, in UTC.'),
    })
    .nullable()
    .describe(what);

/** An account, as the administrator sees it. */
const adminAccountSchema = z
  .object({
    id: z.string().describe('Unique ID of the account. Not secret.'),
    name: z.string().describe('Who the account is for, or an empty string.'),
    created: z.iso.datetime().describe('When the account was created, in UTC.'),
    links: z.int().describe('Number of links, including deleted ones that can be restored.'),
    linksThisMonth: z
      .int()
      .describe('Links and new aliases that count against the quota of this month.'),
    monthlyQuota: z
      .union([z.int(), oneOf(['unlimited'], null)])
      .nullable()
      .describe(MONTHLY_QUOTA),
    suspended: datedReason('Why and since when its tokens are refused, or null.'),
    blocked: datedReason('Why and since when its links are blocked, too, or null.'),
  })
  .meta({ id: 'AdminAccount' });
export type AdminAccount = z.output<typeof adminAccountSchema>;

/** The query of `GET /api/admin/accounts`. */
export const adminAccountListQuerySchema = z.strictObject({
  ...pageParameters('accounts'),
  q: searchParameter('Part of the name or the ID, regardless of case.'),
});

/** The 200 of `GET /api/admin/accounts`. */
export const adminAccountListResponseSchema = pageOf(adminAccountSchema, 'Newest first.');

export const adminAccountParamsSchema = z.object({ id: nameOf('ID of the account.') });

/** The 200 of requests that return one account. */
export const adminAccountResponseSchema = envelope(adminAccountSchema);

/** The body of `POST /api/admin/accounts`. */
export const newAccountRequestSchema = z.strictObject({
  name: name(),
  monthlyQuota: monthlyQuota().optional(),
});

/** The 200 of `POST /api/admin/accounts`. */
export const newAccountResponseSchema = envelope(
  z.object({
    ...adminAccountSchema.shape,
    token: z
      .string()
      .describe('The first token of the account. Pass it on: the server cannot show it again.'),
  }),
);

const editable = {
  name: z
    .union([name(), z.literal('')])
    .optional()
    .describe('Who the account is for, as when it is created. An empty string removes it.'),
  monthlyQuota: monthlyQuota().optional(),
  suspended: z
    .strictObject({
      reason: reason(),
      ...readOnlyFields(datedReason('').unwrap().shape, { reason: true }),
    })
    .nullable()
    .optional()
    .describe('Suspends the account: its tokens are refused and its links go on. Null ends it.'),
};
const readOnly = readOnlyFields(adminAccountSchema.shape, editable);

/** The body of `PATCH /api/admin/accounts/:id`. */
export const editAccountRequestSchema = z.strictObject({ ...editable, ...readOnly });
export type EditAccountRequest = Omit<
  z.input<typeof editAccountRequestSchema>,
  keyof typeof readOnly
>;

/** The body of `POST /api/admin/accounts/:id/reassign`. */
export const reassignRequestSchema = z.strictObject({
  to: nameOf('ID of the account that gets the links.'),
});

/** The 200 of `POST /api/admin/accounts/:id/reassign`. */
export const reassignResponseSchema = envelope(
  z.object({
    moved: z.int().describe('Links that this request moved: at most 1,000.'),
    remaining: z.int().describe('Links that are left. Repeat the request until it is 0.'),
  }),
);

/** A token of an account, as the administrator sees it. */
const adminTokenSchema = tokenInfoSchema.omit({ isCurrent: true });
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

export const adminTokenParamsSchema = adminAccountParamsSchema.extend({
  tokenId: nameOf('ID of the token.'),
});
