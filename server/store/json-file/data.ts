import { z } from 'zod';

/** The version of the file below. A newer one is refused: what this server cannot read, it could only lose. */
export const DATA_VERSION = 1;

const time = z.number();

const accountSchema = z.object({ id: z.string(), tokenHash: z.string(), created: time });

const linkSchema = z.object({
  id: z.string(),
  accountId: z.string(),
  alias: z.string(),
  aliasIsCustom: z.boolean(),
  originalUrl: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  passwordHash: z.string().nullable(),
  expiresAt: time.nullable(),
  waitTimerSeconds: z.number(),
  gtmId: z.string().nullable(),
  isActive: z.boolean(),
  hits: z.number(),
  created: time,
  modified: time,
});

const idempotencySchema = z.object({
  keyHash: z.string(),
  bodyHash: z.string(),
  tokenSalt: z.string().nullable(),
  linkId: z.string(),
  created: time,
});

/** What `curt.json` holds. Times are milliseconds since the epoch. */
export const dataSchema = z.object({
  version: z.literal(DATA_VERSION),
  accounts: z.array(accountSchema),
  links: z.array(linkSchema),
  idempotency: z.array(idempotencySchema),
});
export type Data = z.output<typeof dataSchema>;

export function emptyData(): Data {
  return { version: DATA_VERSION, accounts: [], links: [], idempotency: [] };
}
