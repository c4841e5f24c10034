import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { describeTypeError } from '../../../lib/parse-input.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import { createYielder } from '../../../lib/yield-to-others.ts';
import type { Format } from '../formats/format.ts';
import type { ImportedLink } from '../imported-link.ts';
import type { RawRow } from './raw-row.ts';
import { readCsv } from './read-csv.ts';
import { readJson } from './read-json.ts';
import { type ReadTextOptions, readText } from './read-text.ts';

const MESSAGE_MAX_CHARACTERS = 200;

export type Row = { row: number } & ({ link: ImportedLink } | { problem: string });

/**
 * Reads a file completely, because its rows are imported in the order of their creation. Invalid rows
 * are in the result, with what is wrong with them.
 *
 * @throws ServiceError if the file itself is invalid, too large or has too many rows
 */
export async function readRows(
  stream: Readable,
  format: Format,
  type: 'json' | 'csv',
  options: ReadTextOptions,
): Promise<Row[]> {
  const text = readText(stream, options);
  const yieldToOthers = createYielder(options.nextTurn);
  const rows: Row[] = [];
  for await (const raw of readRaw(text, format, type)) {
    rows.push('problem' in raw ? raw : validate(raw, format[type]?.row));
    await yieldToOthers();
  }
  return rows;
}

function readRaw(
  text: AsyncIterable<string>,
  { json, csv }: Format,
  type: 'json' | 'csv',
): AsyncIterable<RawRow> {
  if (type === 'json' && json) return readJson(text, json);
  if (type === 'csv' && csv) return readCsv(text, csv);
  const other = json ? 'application/json' : 'text/csv';
  throw new ServiceError(
    'unsupported_media_type',
    `Send files of this service with "Content-Type: ${other}".`,
  );
}

function validate(
  { row, value }: { row: number; value: unknown },
  schema: z.ZodType<ImportedLink> | undefined,
): Row {
  const result = schema?.safeParse(value, { error: describe });
  if (result?.success) return { row, link: result.data };
  const sentences = (result?.error.issues ?? []).map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  );
  return { row, problem: sentences.join(' ').slice(0, MESSAGE_MAX_CHARACTERS) };
}

function describe(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys') return 'Has unknown fields. Check their names for typos.';
  return issue.path?.length ? describeTypeError(issue) : 'Must be an object.';
}
