import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { ImportSource } from '../../../../shared/links/transfer.ts';
import { describeIssue } from '../../../lib/parse-input.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import { createYielder } from '../../../lib/yield-to-others.ts';
import { detectSource } from '../formats/detect-source.ts';
import { FORMATS } from '../formats/formats.ts';
import type { ImportedLink } from '../imported-link.ts';
import { readCsv } from './read-csv.ts';
import { readJson } from './read-json.ts';
import { type ReadTextOptions, readText } from './read-text.ts';

const MESSAGE_MAX_CHARACTERS = 200;
/** Has the header of a table, and fields of a link in JSON. */
const START_CHARACTERS = 16 * 1024;

export type Row = { row: number } & ({ link: ImportedLink } | { problem: string });

/**
 * Reads a file completely, because its rows are imported in the order of their creation. Invalid rows
 * are in the result, with what is wrong with them.
 *
 * @param source detected if omitted
 * @throws ServiceError if the file itself is invalid, too large or has too many rows
 */
export async function readRows(
  stream: Readable,
  source: ImportSource | undefined,
  options: ReadTextOptions,
): Promise<{ source: ImportSource; rows: Row[] }> {
  const text = readText(stream, options);
  try {
    return await parseRows(text, source, options);
  } finally {
    // Otherwise the generator still holds the stream, and the rest of an invalid file cannot be discarded.
    await text.return(undefined);
  }
}

async function parseRows(
  text: AsyncGenerator<string>,
  source: ImportSource | undefined,
  options: Pick<ReadTextOptions, 'nextTurn'>,
): ReturnType<typeof readRows> {
  const start = await readStart(text);
  const isJson = /^\s*[[{]/.test(start);
  const detected = source ?? detectSource(start, isJson);
  const { json, csv } = FORMATS[detected];
  const format = isJson ? json : csv;
  if (!format) throw wrongFormat(detected, isJson);
  const whole = join(start, text);
  const yieldToOthers = createYielder(options.nextTurn);
  const rows: Row[] = [];
  for await (const raw of 'path' in format
    ? readJson(whole, format)
    : readCsv(start, whole, format)) {
    rows.push('problem' in raw ? raw : validate(raw, format.row));
    await yieldToOthers();
  }
  return { source: detected, rows };
}

async function readStart(text: AsyncIterator<string>): Promise<string> {
  let start = '';
  while (start.length < START_CHARACTERS) {
    const { value, done } = await text.next();
    if (done) break;
    start += value;
  }
  return start;
}

async function* join(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

function wrongFormat(source: ImportSource, isJson: boolean): ServiceError {
  return new ServiceError(
    'invalid_request',
    `The file must be ${isJson ? 'a table' : 'JSON'}, if it is from ${source}.`,
  );
}

function validate(
  { row, value }: { row: number; value: unknown },
  schema: z.ZodType<ImportedLink>,
): Row {
  const result = schema.safeParse(value, { error: describe });
  if (result.success) return { row, link: result.data };
  const sentences = result.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  );
  return { row, problem: sentences.join(' ').slice(0, MESSAGE_MAX_CHARACTERS) };
}

function describe(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'unrecognized_keys') return 'Has unknown fields. Check their names for typos.';
  return issue.path?.length ? describeIssue(issue) : 'Must be an object.';
}
