import { z } from 'zod';
import { EXPORT_VERSION, exportedJsonLinkSchema } from '../../../../shared/links/transfer.ts';
import { importedLinkSchema, type LinkDraft, PASSWORD_MISSING } from '../imported-link.ts';
import { timeText } from './fields.ts';
import type { JsonFormat } from './format.ts';

/** All fields but the target can be omitted, for files written by hand. */
const curtFields = exportedJsonLinkSchema.partial().required({ originalUrl: true }).extend({
  // Validated later, like those of other formats.
  originalUrl: z.string(),
  shortUrl: z.string().optional(),
  created: timeText.optional(),
  modified: timeText.optional(),
  expiresAt: timeText.nullish(),
  startsAt: timeText.nullish(),
  rules: z.custom<LinkDraft['rules']>().optional(),
  card: z.custom<LinkDraft['card']>().optional(),
});

/** A link of Curt's own files. */
export const curtLink = curtFields.transform(toDraft).pipe(importedLinkSchema);

/** The JSON of `GET /api/links/export`. */
export const curtJson: JsonFormat = {
  path: '$.links.*',
  sign: /"originalUrl"\s*:|"curt"\s*:\s*"links"/,
  row: z.preprocess(withKnownFields, curtLink),
  header: {
    path: '$.version',
    check: (version) =>
      typeof version === 'number' && version > EXPORT_VERSION
        ? 'The file is from a newer version of Curt. Update this server first.'
        : undefined,
  },
};

const NEWER_FIELDS =
  'The file has something of this link that only a newer version of Curt knows. It was left out.';

/** A server that shares its database with newer ones has exported apart what it did not know. This one may. */
function withKnownFields(row: unknown): unknown {
  const { newerFields, ...link } = (row ?? {}) as Record<string, unknown>;
  if (typeof newerFields !== 'object' || newerFields === null) return row;
  const [known = [], others = []] = [true, false].map((isKnown) =>
    Object.entries(newerFields).filter(
      ([name]) => Object.hasOwn(curtFields.shape, name) === isKnown,
    ),
  );
  return { ...Object.fromEntries(known), ...link, newerFields: Object.fromEntries(others) };
}

function toDraft({
  id: _id,
  shortUrl: _shortUrl,
  customAlias,
  hasPassword,
  description,
  newerFields = {},
  ...link
}: z.output<typeof curtFields>): LinkDraft {
  const lacksPassword = hasPassword === true && link.passwordHash == null;
  return {
    ...link,
    ...(customAlias !== undefined && { aliasIsCustom: customAlias !== '' }),
    description: description || null,
    isActive: (link.isActive ?? true) && !lacksPassword,
    notes: [
      ...(lacksPassword ? [PASSWORD_MISSING] : []),
      ...(Object.keys(newerFields).length > 0 ? [NEWER_FIELDS] : []),
    ],
  };
}
