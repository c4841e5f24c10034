import { z } from 'zod';
import {
  type FieldDefinition,
  mapFields,
  type PlainField,
  type PlainValues,
} from '../../../../shared/links/fields.ts';
import { exportedLinkSchema } from '../../../../shared/links/transfer.ts';
import { curtLink } from './curt.ts';
import { count } from './fields.ts';
import type { CsvFormat } from './format.ts';
import { splitList } from './list-cell.ts';

const text = z.string().optional();
const list = z.string().transform(splitList).optional();
const number = z
  .string()
  .regex(/^\d+(\.\d+)?$/, 'Must be a number.')
  .transform(Number)
  .optional();
const yesOrNo = z
  .string()
  .regex(/^(yes|no|true|false|1|0)$/i, 'Must be yes or no.')
  .transform((cell) => /^(yes|true|1)$/i.test(cell))
  .optional();

const json = z
  .string()
  .transform((cell, context) => {
    try {
      return JSON.parse(cell);
    } catch {
      context.addIssue({ code: 'custom', message: 'Must be JSON.' });
      return z.NEVER;
    }
  })
  .optional();

const CELLS: Record<FieldDefinition['control'], z.ZodType> = {
  line: text,
  text,
  code: text,
  number,
  switch: yesOrNo,
  tags: list,
};
const plainCells = mapFields<{
  [K in PlainField]: z.ZodOptional<z.ZodType<NonNullable<PlainValues[K]>, string>>;
}>((_, { control }) => CELLS[control]);

const cells = z.object({
  id: text,
  shortUrl: text,
  domain: text,
  alias: text,
  customAlias: text,
  previousAliases: list,
  originalUrl: z.string(),
  ...plainCells,
  hasPassword: yesOrNo,
  passwordHash: text,
  created: text,
  modified: text,
  rules: json,
  startsAt: text,
  goneUrl: text,
  card: json,
  expiresAt: text,
  hits: count.optional(),
  maxVisits: count.optional(),
  isActive: yesOrNo,
} satisfies Record<keyof typeof exportedLinkSchema.shape, z.ZodType>);

/** An empty cell is an omitted field. But an empty `customAlias` says that the alias was generated. */
function omitEmptyCells(row: unknown): unknown {
  return Object.fromEntries(
    Object.entries(row as Record<string, string>).filter(
      ([name, cell]) => cell !== '' || name === 'customAlias',
    ),
  );
}

const columns = Object.fromEntries(Object.keys(exportedLinkSchema.shape).map((name) => [name, []]));

/** The table of `GET /api/links/export?format=csv`. Only `originalUrl` is required. */
export const csv: CsvFormat = {
  columns,
  required: ['originalUrl'],
  row: z
    .preprocess(omitEmptyCells, cells)
    .transform((fields): z.input<typeof curtLink> => fields)
    .pipe(curtLink),
  isOwn: true,
};
