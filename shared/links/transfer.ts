import { z } from 'zod';
import { linkRecordSchema } from './link-record.ts';
import { EXPORT_FORMATS, IMPORT_SOURCES } from './transfer-formats.ts';

export {
  EXPORT_FORMATS,
  type ExportFormat,
  IMPORT_SOURCES,
  type ImportSource,
} from './transfer-formats.ts';

/** The format of exported JSON files. A server rejects files with a greater version. */
export const EXPORT_VERSION = 1;

const flag = () =>
  z.enum(['true', 'false'], 'Must be true or false.').transform((value) => value === 'true');

/** The query of `GET /api/links/export`. */
export const exportQuerySchema = z.strictObject({
  format: z.enum(EXPORT_FORMATS, 'Must be json or csv.').default('json').describe('File format.'),
  secrets: flag()
    .default(false)
    .describe('Whether the file has the hashes of passwords. Needs a token with the scope `all`.'),
});

/** The query of `POST /api/links/import`. */
export const importQuerySchema = z.strictObject({
  from: z
    .enum(IMPORT_SOURCES, `Must be one of ${IMPORT_SOURCES.join(', ')}.`)
    .optional()
    .describe(
      'The service that the file was exported from, or `csv` for a table. Found out by itself if omitted.',
    ),
  dryRun: flag()
    .default(false)
    .describe('Whether to report what would happen, without importing anything.'),
});

/** A link in an exported file, from which the same link can be made again: a record without what follows from the server or the account. */
export const exportedLinkSchema = z.strictObject({
  ...linkRecordSchema.omit({
    status: true,
    manyWrongPasswords: true,
    version: true,
    qrCode: true,
    visits30: true,
  }).shape,
  passwordHash: z
    .string()
    .nullable()
    .optional()
    .describe('The hash of the password (argon2id, PHC string format), only with `secrets=true`.'),
});

/** A link in a JSON file. */
export const exportedJsonLinkSchema = exportedLinkSchema.extend({
  newerFields: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'What a newer version of Curt, which shares the database, has stored of the link. Only with `secrets=true`, because nobody knows here whether it is secret.',
    ),
});
export type ExportedLink = z.output<typeof exportedJsonLinkSchema>;

/** The JSON file of `GET /api/links/export`. */
export const exportedFileSchema = z.object({
  curt: z.literal('links'),
  version: z.literal(EXPORT_VERSION).describe('Version of the format.'),
  exported: z.iso.datetime().describe('When the file was made, in UTC.'),
  links: z.array(exportedJsonLinkSchema).describe('The links, newest first.'),
});

export const IMPORT_STATUSES = ['imported', 'renamed', 'duplicate', 'failed'] as const;

export const importedRowSchema = z.object({
  row: z
    .int()
    .describe('Number of the row: the first link of a JSON file is 1, the header of a table is 1.'),
  status: z
    .enum(IMPORT_STATUSES)
    .describe(
      '`imported`; `renamed`: imported with a generated alias; `duplicate`: nothing to do; `failed`: skipped.',
    ),
  alias: z
    .string()
    .nullable()
    .describe('Alias of the link; null if there is none, or if a dry run would generate it.'),
  message: z.string().describe('What is wrong or was changed, or an empty string. Human-readable.'),
});
export type ImportedRow = z.output<typeof importedRowSchema>;

/** The 200 of `POST /api/links/import`. */
export const importResponseSchema = z.object({
  success: z.literal(true),
  message: z.string().describe('Human-readable text.'),
  data: z.object({
    dryRun: z.boolean().describe('Whether nothing was imported.'),
    rows: z.int().describe('Rows in the file.'),
    imported: z.int().describe('Links imported with their alias, or without one in the file.'),
    renamed: z.int().describe('Links imported with a generated alias instead of their own.'),
    duplicates: z.int().describe('Rows whose link was there already.'),
    failed: z.int().describe('Rows that were skipped.'),
    results: z.array(importedRowSchema).describe('What became of each row, in their order.'),
  }),
});
export type ImportResponse = z.output<typeof importResponseSchema>;
export type ImportReport = ImportResponse['data'];
