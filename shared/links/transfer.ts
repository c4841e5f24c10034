import { z } from 'zod';
import { envelope, flag, oneOf, selecting } from '../schemas.ts';
import { linkFilterSchema } from './link-list.ts';
import { linkRecordSchema } from './link-record.ts';
import {
  COLUMN_NOTES,
  DATE_ORDERS,
  ENCODINGS,
  FILE_FORMATS,
  IMPORT_SOURCES,
  SAID_OTHERWISE,
} from './transfer-formats.ts';

/** The format of exported JSON files. A server rejects files with a greater version. */
export const EXPORT_VERSION = 1;

/** The query of `GET /api/admin/accounts/:id/export`. */
export const exportQuerySchema = z.strictObject({
  format: selecting(
    z
      .enum(FILE_FORMATS, `Must be one of ${FILE_FORMATS.join(', ')}.`)
      .default('json')
      .describe(
        'File format. `shlink` and `yourls` are tables for these services, with the links that anybody can open for good.',
      ),
  ),
  secrets: flag(
    'Whether the file has the hashes of passwords. Needs a token with the scope `all`.',
  ),
});

/** The query of `GET /api/links/export`. */
export const filteredExportQuerySchema = exportQuerySchema.extend(linkFilterSchema.shape);

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
const exportedJsonLinkSchema = exportedLinkSchema.extend({
  newerFields: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'What a newer version of Curt, which shares the database, has stored of the link. Only with `secrets=true`, because nobody knows here whether it is secret.',
    ),
});
export type ExportedLink = z.output<typeof exportedJsonLinkSchema>;

const importFieldSchema = z.enum([
  ...(Object.keys(exportedLinkSchema.shape) as (keyof ExportedLink)[]),
  ...SAID_OTHERWISE,
]);
/** What a column of a file can mean. */
export const IMPORT_FIELDS = importFieldSchema.options;
export type ImportField = (typeof IMPORT_FIELDS)[number];

const mappingSchema = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'Must be JSON.' });
      return z.NEVER;
    }
  })
  .pipe(
    z.record(
      z.string(),
      z.enum(IMPORT_FIELDS, 'Is no field of a link. Use null to ignore the column.').nullable(),
      'Must be an object of columns and their fields.',
    ),
  );

/** The query of `POST /api/links/import`. */
export const importQuerySchema = z.strictObject({
  from: selecting(
    z
      .enum(IMPORT_SOURCES, `Must be one of ${IMPORT_SOURCES.join(', ')}.`)
      .optional()
      .describe(
        'The service that the file was exported from, or `csv` for any other table. Detected if omitted.',
      ),
  ),
  mapping: mappingSchema
    .optional()
    .describe(
      'The fields of columns that were taken for something else, as JSON: `{"Short link":"shortUrl","Notes":null}`. null ignores a column.',
    ),
  dates: selecting(
    z
      .enum(DATE_ORDERS, 'Must be day or month.')
      .optional()
      .describe('What comes first in dates such as 01/02/2026. Detected where a date says it.'),
  ),
  encoding: selecting(
    z
      .enum(ENCODINGS, `Must be one of ${ENCODINGS.join(', ')}.`)
      .optional()
      .describe('The encoding of the file. Detected if omitted.'),
  ),
  update: flag('Whether rows of links that the account has change these links.'),
  dryRun: flag('Whether to report what would happen, without importing anything.'),
});
export type ImportQuery = z.output<typeof importQuerySchema>;

/** The JSON file of `GET /api/links/export`. */
export const exportedFileSchema = z.object({
  curt: z.literal('links'),
  version: z.literal(EXPORT_VERSION).describe('Version of the format.'),
  exported: z.iso.datetime().describe('When the file was made, in UTC.'),
  links: z.array(exportedJsonLinkSchema).describe('The links, newest first.'),
});

export const IMPORT_STATUSES = ['imported', 'renamed', 'updated', 'duplicate', 'failed'] as const;
const fileText = (text: string) => z.string().nullable().describe(`${text}, or null.`);

const importedRowSchema = z.object({
  row: z
    .int()
    .describe('Number of the row: the first link of a JSON file is 1, the header of a table is 1.'),
  status: oneOf(IMPORT_STATUSES).describe(
    '`imported`; `renamed`: imported with a generated alias; `updated`: the link was there, and was changed; `duplicate`: nothing to do; `failed`: skipped.',
  ),
  alias: z
    .string()
    .nullable()
    .describe('Alias of the link; null if there is none, or if a dry run would generate it.'),
  shortUrl: z
    .string()
    .nullable()
    .describe('Short URL of the link; null if there is none, or if a dry run would generate it.'),
  source: z
    .object({
      alias: fileText('The alias'),
      shortUrl: fileText('The short URL'),
      originalUrl: fileText('The target'),
    })
    .describe('The row as it is in the file.'),
  issues: z
    .array(
      z.object({
        field: z
          .string()
          .nullable()
          .describe('The column or field, or null if it is about the whole row.'),
        message: z.string().describe('Human-readable text.'),
      }),
    )
    .describe('Everything that is wrong or was changed.'),
  isRestorable: z
    .boolean()
    .optional()
    .describe('True if the link is there, but deleted. It can be restored.'),
  message: z.string().describe('The text of all issues, or an empty string.'),
});
export type ImportedRow = z.output<typeof importedRowSchema>;

const columnSchema = z.object({
  name: z.string().describe('Name in the file; of nested fields with dots: `meta.validUntil`.'),
  field: oneOf(importFieldSchema.options)
    .nullable()
    .describe('What it was taken for, or null if it is ignored.'),
  example: z.string().nullable().describe('A value of the column, or null if it has none.'),
  notes: z
    .array(oneOf(COLUMN_NOTES))
    .describe(
      'What to check: `same_field`: another column has its field; `date_order`: its dates are ambiguous, see `dates`; `utc`: its times have no zone; `pauses`: it seems to protect links, so they are paused; `private`: only owners see it, so it becomes the private title.',
    ),
});
export type ImportColumn = z.output<typeof columnSchema>;

/** The 200 of `POST /api/links/import`. */
export const importResponseSchema = envelope(
  z.object({
    dryRun: z.boolean().describe('Whether nothing was imported.'),
    importId: z
      .string()
      .nullable()
      .describe('Finds the links that were added, see `GET /api/links`; null for a dry run.'),
    source: oneOf(IMPORT_SOURCES, 'csv').describe('What the file was taken for.'),
    signs: z
      .array(z.string())
      .describe('The columns that tell the source; none if it was given, or is any table.'),
    columns: z.array(columnSchema).describe('The columns, in the order of the file.'),
    dates: oneOf(DATE_ORDERS, null)
      .nullable()
      .describe('What comes first in dates with slashes, or null if that is not known.'),
    encoding: oneOf(ENCODINGS, 'utf-8').describe('The encoding of the file.'),
    rows: z.int().describe('Rows in the file.'),
    imported: z.int().describe('Links imported with their alias, or without one in the file.'),
    renamed: z.int().describe('Links imported with a generated alias instead of their own.'),
    updated: z.int().describe('Links that were there and were changed, with `update=true`.'),
    duplicates: z.int().describe('Rows whose link was there already.'),
    failed: z.int().describe('Rows that were skipped.'),
    results: z.array(importedRowSchema).describe('What became of each row, in their order.'),
  }),
);
type ImportResponse = z.output<typeof importResponseSchema>;
export type ImportReport = ImportResponse['data'];

const statusSchema = z.object({
  importId: z.string().describe('As in its report.'),
  started: z.iso.datetime().describe('When it began to add links, in UTC.'),
  rows: z.int().describe('Rows in the file.'),
  done: z.int().describe('Rows that are dealt with.'),
  isRunning: z.boolean().describe('Whether it is still adding links.'),
  undo: z
    .object({
      links: z.int().describe('Links that it has added and that are not deleted.'),
      edited: z.int().describe('How many of them were edited since.'),
    })
    .nullable()
    .describe('What there is to undo; null while it is running.'),
});
export type ImportStatus = z.output<typeof statusSchema>;

/** The 200 of `GET` and `DELETE /api/links/import`. */
export const importStatusResponseSchema = envelope(
  statusSchema.nullable().describe('An import of the account, or null if there is none.'),
);
