import { z } from 'zod';
import { EXPORT_VERSION, exportedLinkSchema } from '../../../../shared/links/transfer.ts';
import { importedLinkSchema, type LinkDraft, PASSWORD_MISSING } from '../imported-link.ts';
import { timeText } from './fields.ts';
import type { JsonFormat } from './format.ts';

/** All fields but the target can be omitted, for files written by hand. */
const curtFields = exportedLinkSchema.partial().required({ originalUrl: true }).extend({
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
  row: curtLink,
  header: {
    path: '$.version',
    check: (version) =>
      typeof version === 'number' && version > EXPORT_VERSION
        ? 'The file is from a newer version of Curt. Update this server first.'
        : undefined,
  },
};

function toDraft({
  id: _id,
  shortUrl: _shortUrl,
  customAlias,
  hasPassword,
  description,
  ...link
}: z.output<typeof curtFields>): LinkDraft {
  const lacksPassword = hasPassword === true && link.passwordHash == null;
  return {
    ...link,
    ...(customAlias !== undefined && { aliasIsCustom: customAlias !== '' }),
    description: description || null,
    isActive: (link.isActive ?? true) && !lacksPassword,
    notes: lacksPassword ? [PASSWORD_MISSING] : [],
  };
}
