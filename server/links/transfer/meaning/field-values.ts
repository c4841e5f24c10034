import { z } from 'zod';
import { importedFields } from '../../../../shared/links/plain-field-schemas.ts';
import {
  definitionOf,
  isPlainField,
  type PlainField,
} from '../../../../shared/links/plain-fields.ts';
import { shortenRequestSchema } from '../../../../shared/links/shorten-request.ts';
import type { ImportField } from '../../../../shared/links/transfer.ts';
import { trimText } from '../../../../shared/text.ts';
import { isSafePasswordHash } from '../../../accounts/passwords.ts';
import {
  type DateOrder,
  foldCell,
  type Read,
  readBoolean,
  readCount,
  readRecordTime,
  readSchedule,
} from './cells.ts';

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

/** Texts from other services are trimmed, and tags of other files have other separators than Curt's. */
type FileOptions = {
  isForeign: boolean;
  /** Whether it is a table that Curt has exported. */
  isOwnTable: boolean;
  dates: DateOrder | null;
  tagSeparator?: string | undefined;
};
type Reader = (value: unknown, options: FileOptions) => Read<unknown>;

const readTags: Reader = (value, { isOwnTable, tagSeparator }) =>
  // A tag of Curt can be any list.
  isOwnTable ? { value: splitList(String(value)) } : readList(value, tagSeparator);

const readAlias: Reader = (value) => readText(typeof value === 'number' ? String(value) : value);

const readMaxVisits: Reader = (value) => {
  const read = readCount(value);
  return 'value' in read && read.value === 0 ? { value: undefined } : read;
};

/** How to read each field that is not plain. What says whether the link works is not among them. */
const READERS: { [K in Exclude<ImportField, PlainField>]?: Reader } = {
  originalUrl: readText,
  shortUrl: readText,
  domain: readText,
  goneUrl: readText,
  id: readText,
  alias: readAlias,
  created: (value, { dates }) => readRecordTime(value, dates),
  modified: (value, { dates }) => readRecordTime(value, dates),
  startsAt: (value, { dates }) => readSchedule(value, dates),
  expiresAt: (value, { dates }) => readSchedule(value, dates),
  hits: readCount,
  maxVisits: readMaxVisits,
  visitsLeft: (value) => (foldCell(value) === '-1' ? { value: undefined } : readCount(value)),
  previousAliases: (value) => readList(value, undefined),
  rules: readJson,
  card: readJson,
};

/** Reads the value of a field. Undefined for a field that says something of access. */
export function readField(
  field: ImportField,
  value: unknown,
  options: FileOptions,
): Read<unknown> | undefined {
  if (field === 'tags') return readTags(value, options);
  return isPlainField(field)
    ? readPlain(field, value, options.isForeign)
    : READERS[field]?.(value, options);
}

/** Writes the value of a field of an exported table, as `readField` reads it. */
export function toCell(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return joinList(value);
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value ?? '');
}

function readText(value: unknown): Read<string> {
  return typeof value === 'string' ? { value: trimText(value) } : { problem: 'Must be a string.' };
}

export function readPlain(name: PlainField, value: unknown, isForeign: boolean): Read<unknown> {
  const { control } = definitionOf(name);
  if (control === 'number') {
    const number = typeof value === 'string' ? Number(trimText(value) || Number.NaN) : value;
    return typeof number === 'number' && !Number.isNaN(number)
      ? { value: number }
      : { problem: 'Must be a number.' };
  }
  if (control === 'switch') {
    const flag = readBoolean(value);
    return flag === undefined ? { problem: 'Must be yes or no.' } : { value: flag };
  }
  const text = readText(value);
  return 'problem' in text || isForeign ? text : { value };
}

/** Tags can contain the separators. */
const SEPARATORS = /[\\|,]/g;

/** Joins texts into one cell: `sale|a\,b`. */
export function joinList(texts: string[]): string {
  return texts.map((text) => text.replace(SEPARATORS, '\\$&')).join('|');
}

/** Splits a cell at `|` and `,` unless a `\` precedes them. Empty parts are skipped. */
export function splitList(cell: string): string[] {
  return (cell.match(/(\\.|[^\\|,])+|\\$/gs) ?? [])
    .map((part) => part.replace(/\\(.)/gs, '$1').trim())
    .filter((part) => part !== '');
}

function readList(value: unknown, separator: string | undefined): Read<string[]> {
  if (typeof value === 'string') {
    const parts = listInCell(value) ?? (separator ? value.split(separator) : splitList(value));
    return { value: parts.map((part) => part.trim()).filter(Boolean) };
  }
  if (typeof value !== 'object' || value === null) return { problem: 'Must be a list.' };
  // Pocket's tags are the keys of an object.
  if (!Array.isArray(value)) return { value: Object.keys(value) };
  const names = value.map((item) => (typeof item === 'string' ? item : nameOf(item)));
  if (!names.every((name) => typeof name === 'string'))
    return { problem: 'Must be a list of texts.' };
  return { value: names };
}

function nameOf(item: unknown): unknown {
  const { name, title, label, tag, text, value } = (item ?? {}) as { [key in string]?: unknown };
  return [name, title, label, tag, text, value].find((each) => typeof each === 'string');
}

/** A list as JSON (`["a","b"]`), of Python (`['a', 'b']`) or PostgreSQL (`{a,"b c"}`), or with semicolons; undefined if it is none of these. */
function listInCell(cell: string): string[] | undefined {
  const text = trimText(cell);
  if (/^\[.*\]$/s.test(text)) {
    const read = readJson(text);
    const list =
      'value' in read && Array.isArray(read.value) ? readList(read.value, undefined) : read;
    if ('value' in list && Array.isArray(list.value)) return list.value;
  }
  if (/^\{.*\}$|^\['.*'\]$/s.test(text)) {
    const parts = text.slice(1, -1).match(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^,"]+/gs) ?? [];
    return parts.map((part) =>
      part
        .trim()
        .replace(/^(["'])(.*)\1$/s, '$2')
        .replace(/\\(.)/gs, '$1'),
    );
  }
  return text.includes(';') && !/[,|]/.test(text) ? text.split(';') : undefined;
}

function readJson(value: unknown): Read<unknown> {
  if (typeof value !== 'string') return { value };
  try {
    return { value: JSON.parse(value) };
  } catch {
    return { problem: 'Must be JSON.' };
  }
}
