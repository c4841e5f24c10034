import { z } from 'zod';
import { BLOCKED_VALUE_MAX_CHARACTERS, REASON_MAX_CHARACTERS } from '../bounds.ts';
import { envelope, oneOf, textLine } from '../schemas.ts';

export const BLOCK_KINDS = ['link', 'host', 'account'] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

const KIND = 'What is blocked: a `link`, all links to a `host`, or all links of an `account`.';

const kind = () => z.enum(BLOCK_KINDS, `Must be one of ${BLOCK_KINDS.join(', ')}.`).describe(KIND);

const VALUE =
  'The alias of the link, on another domain with its host: `go.example/sale`; the host, such as `example.com`, which includes its subdomains; or the ID of the account.';

const value = () => textLine(BLOCKED_VALUE_MAX_CHARACTERS).describe(VALUE);

/** Something that visitors get a 451 for. */
const blockSchema = z
  .object({
    kind: oneOf(BLOCK_KINDS).describe(KIND),
    value: z.string().describe(VALUE),
    reason: z
      .string()
      .describe('Why. Visitors do not see it; the owner of a blocked account does.'),
    since: z.iso.datetime().describe('Since when, in UTC.'),
  })
  .meta({ id: 'Block' });
export type Block = z.output<typeof blockSchema>;

/** The 200 of `GET /api/admin/blocks`. */
export const blockListResponseSchema = envelope(
  z.array(blockSchema).describe('All blocks, newest first, without those of `BLOCKED_HOSTS`.'),
);

/** The body of `POST /api/admin/blocks`. */
export const newBlockRequestSchema = z.strictObject({
  kind: kind(),
  value: value(),
  reason: textLine(REASON_MAX_CHARACTERS).describe(
    `Why: 1 to ${REASON_MAX_CHARACTERS} characters. Visitors do not see it; the owner of a blocked account does.`,
  ),
});
export type NewBlockRequest = z.input<typeof newBlockRequestSchema>;

/** The 200 of `POST /api/admin/blocks`. */
export const blockResponseSchema = envelope(blockSchema);

export const blockParamsSchema = z.object({ kind: kind(), value: value() });
