import { z } from 'zod';
import { importedFields } from '../../../shared/links/field-schemas.ts';
import { shortenRequestSchema } from '../../../shared/links/shorten-request.ts';
import { isSafePasswordHash } from './password-hash.ts';

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
  /** What was changed to fit the link into Curt, as sentences. */
  notes: z.array(z.string()).default([]),
});
export type ImportedLink = z.output<typeof importedLinkSchema>;
/** What a format makes of a row. */
export type LinkDraft = z.input<typeof importedLinkSchema>;
export type DraftRule = NonNullable<LinkDraft['rules']>[number];

/** A link that must not open without its password is imported switched off. */
export const PASSWORD_MISSING =
  'The file does not have the password, so the link is switched off. Set a password and activate it.';
