import { z } from 'zod';
import { importedFields } from '../../../shared/links/field-schemas.ts';
import { shortenRequestSchema } from '../../../shared/links/shorten-request.ts';

const fields = shortenRequestSchema.shape;

/** A larger one, with visits added, would not be exact in JSON. */
const HITS_MAX = 999_999_999_999_999;
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

const time = z
  .int()
  .min(0, 'Must not be before 1970.')
  .max(LAST_TIME, 'Must not be after 9999, in UTC.')
  .nullable()
  .default(null);

/**
 * A link of any file, whatever its format. The limits are those of the API, because whoever imports a
 * link could have made it there. Times are milliseconds since the epoch, UTC.
 */
export const importedLinkSchema = z.object({
  /** That of the link on the server that has exported it, if that was Curt. */
  id: z.string().nullable().default(null),
  /** As in the file, not validated; an empty string for a generated one. */
  alias: z.string().default(''),
  /** Host of its short URL; null for the default one of its service. */
  domain: z.string().nullable().default(null),
  aliasIsCustom: z.boolean().default(true),
  /** Those of other domains with their host: `go.example/sale`. */
  previousAliases: z.array(z.string()).default([]),
  originalUrl: fields.originalUrl,
  ...importedFields,
  startsAt: time,
  created: time,
  modified: time,
  /** May be in the past. */
  expiresAt: time,
  hits: z
    .int()
    .min(0, 'Must be 0 or more.')
    .max(HITS_MAX, `Must be at most ${HITS_MAX}.`)
    .default(0),
  rules: fields.rules.default([]),
  goneUrl: fields.goneUrl.default(null),
  card: fields.card.default(null),
  maxVisits: fields.maxVisits.nullable().default(null),
  isActive: z.boolean().default(true),
  passwordHash: z
    .string()
    .refine(isSafePasswordHash, 'Must be an argon2id hash in PHC string format, as exported.')
    .nullable()
    .default(null),
});
export type ImportedLink = z.output<typeof importedLinkSchema>;
/** What a format makes of a row. */
export type LinkDraft = z.input<typeof importedLinkSchema>;
export type DraftRule = NonNullable<LinkDraft['rules']>[number];

/** The parameters, the salt and the digest. */
const PHC =
  /^\$argon2id\$v=19\$m=([1-9]\d{0,6}),t=([1-9]\d{0,2}),p=([1-9]\d?)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;
/** More than Curt's own hashes need, and less than what would occupy the server. */
const MEMORY_MAX_KIB = 64 * 1024;
const PASSES_MAX = 4;
const LANES_MAX = 4;

/**
 * Whether the text is an argon2id hash in PHC string format that can be verified, and cheaply enough. The cost of
 * each check of the password is written in the hash, so a foreign one could take minutes.
 */
export function isSafePasswordHash(text: string): boolean {
  const [, ...parts] = PHC.exec(text) ?? [];
  const [memory = 0, passes = 0, lanes = 0] = parts.map(Number);
  return (
    parts.slice(3).every(isBase64) &&
    within(memory, 8 * lanes, MEMORY_MAX_KIB) &&
    within(passes, 1, PASSES_MAX) &&
    within(lanes, 1, LANES_MAX)
  );
}

/** Whether the text is without padding and without bits that are not used, as decoders require. */
function isBase64(text: string): boolean {
  return Buffer.from(text, 'base64').toString('base64').replaceAll('=', '') === text;
}

function within(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
}
