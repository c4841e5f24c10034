import { ALIAS_PATTERN } from '../../../../shared/bounds.ts';
import {
  IMPORT_FIELDS,
  type ImportColumn,
  type ImportField,
  type ImportQuery,
} from '../../../../shared/links/transfer.ts';
import type { ImportSource } from '../../../../shared/links/transfer-formats.ts';
import { ServiceError, withIssue } from '../../../lib/service-error.ts';
import {
  createSamples,
  type FileTable,
  normalizeName,
  type Samples,
} from '../reading/file-table.ts';
import {
  type DateOrder,
  isAmbiguousDate,
  lacksZone,
  orderOf,
  readBoolean,
  readTime,
} from './cells.ts';
import {
  type AccessColumn,
  accessColumn,
  closesLink,
  isNewPlace,
  isOldPlace,
  NAMES,
  SEVERAL,
  serviceOf,
  signsOf,
} from './column-names.ts';
import { columnsOf, FORMATS, type Format, KNOWN_FILES, names } from './formats.ts';

const EXAMPLE_MAX_CHARACTERS = 80;
const NAMES_LISTED_MAX = 10;
/** What says itself that it is for the owner, or is no text that somebody has written for others. */
const NAMES_OF_LABELS = new Set(['label', 'name', 'privatetitle', 'internalname']);
/** As phpMyAdmin exports `yourls_url` without a header. */
const YOURLS_COLUMNS = ['keyword', 'url', 'title', 'timestamp', 'ip', 'clicks'];
/** Of a page or a record, such as `hash` of Pinboard, a UUID and a ULID. */
const DIGEST = /^([\da-f-]{32,}|[\da-hjkmnp-tv-z]{26})$/i;
const TIMES = new Set<ImportField>(['created', 'modified', 'startsAt', 'expiresAt']);

/** What the columns of a file mean. */
export type Meaning = {
  source: ImportSource;
  format: Format;
  signs: string[];
  /** Of each column that has one. Of columns with the same field, the better one comes first. */
  fields: Map<string, ImportField>;
  /** Columns without a meaning, with what their name says of who may open a link. */
  unexplained: Map<string, AccessColumn | undefined>;
  dates: DateOrder | null;
  columns: ImportColumn[];
};

type Options = Pick<ImportQuery, 'from' | 'mapping' | 'dates'>;

/**
 * Finds out what a file is an export of, and what each column means, by their names and their values.
 *
 * @param valuesOfRows the values of each row by column
 * @throws ServiceError `invalid_request` if there is no column with destinations, or the mapping is wrong
 */
export function findMeaning(
  table: FileTable,
  valuesOfRows: () => Iterable<Map<string, unknown>>,
  { from, mapping = {}, dates }: Options,
): Meaning {
  assertKnown(mapping, table);
  const samples = createSamples(valuesOfRows);
  const detected = from ?? detectSource(table, samples);
  const format = FORMATS[detected] ?? ({ signs: [], fields: {} } satisfies Format);
  const assigned = assignFields(table.columns, format, samples, detected);
  for (const [column, field] of Object.entries(mapping)) {
    // What people choose replaces what was guessed.
    for (const [other, guess] of assigned.fields) {
      if (guess === field && !SEVERAL.has(field) && !Object.hasOwn(mapping, other)) {
        assigned.fields.delete(other);
      }
    }
    assigned.fields.delete(column);
    assigned.unexplained.delete(column);
    assigned.rivals.delete(column);
    if (field) assigned.fields.set(column, field);
  }
  const fields = assigned.fields;
  const isEmpty = table.kind === 'json' && table.rows.length === 0 && detected !== 'csv';
  if (![...fields.values()].includes('originalUrl') && !isEmpty) {
    throw noDestinations(table, format, from);
  }
  // As guessed: whoever chooses a meaning knows it.
  const isPrivate = (name: string) =>
    fields.get(name) === 'label' &&
    detected !== 'curt' &&
    !Object.hasOwn(mapping, name) &&
    !NAMES_OF_LABELS.has(normalizeName(name));
  const { ofColumns, order } = surveyValues(assigned, valuesOfRows, dates);
  return {
    source: detected,
    format,
    signs: from ? [] : signsOf(format, table.columns),
    fields,
    unexplained: assigned.unexplained,
    dates: order,
    columns: table.columns.map((name) => ({
      name,
      field: fields.get(name) ?? null,
      example: samples.of(name)[0]?.slice(0, EXAMPLE_MAX_CHARACTERS) ?? null,
      notes: [
        ...(assigned.rivals.has(name) ? (['same_field'] as const) : []),
        ...(ofColumns.get(name) ?? []),
        ...(isPrivate(name) ? (['private'] as const) : []),
      ],
    })),
  };
}

function assertKnown(mapping: object, { columns }: FileTable): void {
  const unknown = Object.keys(mapping).filter((name) => !columns.includes(name));
  if (unknown.length === 0) return;
  throw withIssue(
    'mapping',
    `The file has no column ${listed(unknown)}. It has ${listed(columns)}.`,
  );
}

function noDestinations({ columns, kind, rows }: FileTable, format: Format, from?: string) {
  const what = kind === 'json' ? 'fields' : 'columns';
  const found =
    columns.length > 0
      ? `The file has ${columns.length} ${columns.length === 1 ? what.slice(0, -1) : what}: ${listed(columns)}; none is a URL.`
      : `The file has no ${rows.length > 0 ? what : 'links'}.`;
  const [expected] = from && from !== 'csv' ? format.signs : [];
  const hint = expected ? ` ${from} has ${names(expected).join(' and ')}.` : ` ${KNOWN_FILES}`;
  return new ServiceError('invalid_request', found + hint);
}

function listed(names: string[]): string {
  const shown = names.slice(0, NAMES_LISTED_MAX).map((name) => name.slice(0, 40));
  return shown.join(', ') + (names.length > shown.length ? ', …' : '');
}

function detectSource({ columns, kind, isOfCurt }: FileTable, samples: Samples): ImportSource {
  if (kind === 'bookmarks' || kind === 'list') return kind;
  if (isOfCurt || columns.includes('originalUrl')) return 'curt';
  return isHeaderlessYourls(columns, samples) ? 'yourls' : serviceOf(columns);
}

/** What comes first in the dates of a file, and what to ask about its columns of times and those that pause links. */
function surveyValues(
  { fields, unexplained }: Pick<Meaning, 'fields' | 'unexplained'>,
  valuesOfRows: () => Iterable<Map<string, unknown>>,
  given: DateOrder | undefined,
) {
  const columns = [...fields].filter(([, field]) => TIMES.has(field)).map(([name]) => name);
  const found = new Set<DateOrder>();
  const [ambiguous, zoneless] = [new Set<string>(), new Set<string>()];
  const pausing = new Set<string>();
  for (const values of columns.length + unexplained.size > 0 ? valuesOfRows() : []) {
    for (const [name, speaks] of unexplained) {
      if (!pausing.has(name) && closesLink(values.get(name), speaks)) pausing.add(name);
    }
    for (const name of columns) {
      const value = values.get(name);
      if (typeof value !== 'string') continue;
      const text = value.trim();
      const order = orderOf(text);
      if (order) found.add(order);
      else if (isAmbiguousDate(text)) ambiguous.add(name);
      if (lacksZone(text)) zoneless.add(name);
    }
  }
  const [only = null] = found.size === 1 ? found : [];
  const ofColumns = new Map(
    [...columns, ...pausing].map((name) => [
      name,
      [
        ...(pausing.has(name) ? (['pauses'] as const) : []),
        ...(ambiguous.has(name) ? (['date_order'] as const) : []),
        ...(zoneless.has(name) ? (['utc'] as const) : []),
      ],
    ]),
  );
  return { ofColumns, order: given ?? only };
}

const isNumber = (text: string) => /^\d+$/.test(text);
/** Numbers, dates, yes and no. */
const isPlain = (text: string) =>
  isNumber(text) || readBoolean(text) !== undefined || 'value' in readTime(text, 'day');
const isUrl = (text: string) => /^https?:\/\//i.test(text);
const isHeaderless = (columns: string[]) =>
  columns.every((name, index) => name === `Column ${index + 1}`);

function isHeaderlessYourls(columns: string[], { all }: Samples): boolean {
  return (
    columns.length === YOURLS_COLUMNS.length &&
    isHeaderless(columns) &&
    all('Column 2', isUrl) &&
    all('Column 4', (text) => /^\d{4}-\d\d-\d\d \d\d:/.test(text))
  );
}

/**
 * Finds out what the columns of a file mean, by their names and, where these say too little, by their values.
 *
 * @returns the fields of columns; those that have the same field as another one; and those without a meaning
 */
function assignFields(columns: string[], format: Format, samples: Samples, source: ImportSource) {
  const fields = new Map<string, ImportField>();
  const rivals = new Set<string>();
  const open = new Set(columns);
  const assign = (column: string, field: ImportField | null) => {
    if (field) fields.set(column, field);
    open.delete(column);
  };
  const columnOf = (field: ImportField) => columns.find((column) => fields.get(column) === field);
  const has = (field: ImportField) => columnOf(field) !== undefined;

  const byName = Map.groupBy(columns, normalizeName);
  const named = (name: string) => byName.get(normalizeName(name)) ?? [];
  const isYourls = source === 'yourls' && isHeaderlessYourls(columns, samples);
  for (const [name, field] of columnsOf(format)) {
    const column = isYourls ? columns[YOURLS_COLUMNS.indexOf(name)] : named(name).at(-1);
    if (column !== undefined) assign(column, field);
  }
  if (source === 'curt' || source === 'csv') {
    for (const field of IMPORT_FIELDS) {
      const column = named(field).at(-1);
      // In another table, `id` is any number, and `status` what that service says.
      if (column !== undefined && (source === 'curt' || field !== 'id')) assign(column, field);
    }
  }
  for (const [field, names] of Object.entries(NAMES) as [ImportField, string[]][]) {
    const candidates = names
      .flatMap(named)
      .filter((column) => open.has(column) && mayBe(field, column));
    if (SEVERAL.has(field)) {
      for (const column of candidates) assign(column, field);
    } else if (has(field)) {
      if (source === 'csv') for (const column of candidates) rivals.add(column);
    } else {
      const [best, ...others] = new Set(candidates);
      if (best === undefined) continue;
      assign(best, field);
      for (const other of others) rivals.add(other);
    }
  }
  function mayBe(field: ImportField, column: string): boolean {
    const name = normalizeName(column);
    const isOld = isOldPlace(name);
    if (isOld && field === 'shortUrl') return samples.all(column, isUrl);
    const isPlugin = byName.has('target') && (name === 'source' || name === 'origin');
    if (isOld) return isPlugin || samples.all(column, (text) => text.startsWith('/'));
    if (isNewPlace(name)) return samples.all(column, isUrl);
    if (field === 'domain') return !isOfTarget(column);
    if (field !== 'alias') return true;
    if (name === 'hash' || name === 'id') {
      if (samples.all(column, (text) => DIGEST.test(text))) return false;
    }
    if (name === 'name') return isAliasName(column);
    if (name !== 'id') return true;
    return !has('shortUrl') && !samples.all(column, isNumber);
  }

  /** Whether the column has the hosts of the targets, as some programs export bookmarks. */
  function isOfTarget(column: string): boolean {
    const target = columnOf('originalUrl');
    const urls = target === undefined ? [] : samples.of(target);
    const hosts = new Set(urls.map((text) => URL.parse(text)?.host));
    return samples.all(column, (text) => hosts.has(text.toLowerCase()));
  }

  /** Whether what is called a name is where links are found, such as in lists of `go/` links. */
  function isAliasName(column: string): boolean {
    const { all, of } = samples;
    return (
      !has('shortUrl') &&
      all(column, (text) => ALIAS_PATTERN.test(text) && !isNumber(text)) &&
      new Set(of(column)).size === of(column).length
    );
  }

  assignByValues();
  for (const rival of rivals) if (!open.has(rival)) rivals.delete(rival);
  // The one that was chosen instead is asked about, too.
  for (const rival of [...rivals]) {
    for (const [column, field] of fields) {
      const isSame = NAMES[field]?.some((name) => normalizeName(name) === normalizeName(rival));
      if (isSame) rivals.add(column);
    }
  }
  const unexplained: Map<string, AccessColumn | undefined> = new Map(
    [...open].map((column) => [column, accessColumn(normalizeName(column))]),
  );
  return { fields, rivals, unexplained };

  /** What no name says. */
  function assignByValues(): void {
    if (!has('originalUrl')) {
      const urls = [...open]
        .filter((name) => samples.most(name, isUrl))
        .sort((one, other) => spread(other) - spread(one));
      // What is called a short URL is the target only if nothing else is a URL.
      const named = columnOf('shortUrl');
      const only = named !== undefined && samples.most(named, isUrl) ? named : undefined;
      const [target = only, short] = urls;
      if (target !== undefined) assign(target, 'originalUrl');
      if (short !== undefined && !has('shortUrl')) assign(short, 'shortUrl');
    }
    if (isHeaderless(columns) && !has('shortUrl') && !has('alias')) {
      const aliases = [...open].filter((name) =>
        samples.all(name, (text) => ALIAS_PATTERN.test(text.replace(/^\/|\/$/g, ''))),
      );
      // Numbers are rather ids or clicks, unless the others are dates, flags or categories.
      const alias =
        aliases.find((name) => !samples.all(name, isPlain) && isDistinct(name)) ??
        aliases.find((name) => samples.all(name, isNumber)) ??
        aliases[0];
      if (alias !== undefined) assign(alias, 'alias');
    }
  }

  /** Whether there are as many values as rows, or as targets if a link is there several times. */
  function isDistinct(name: string): boolean {
    const texts = samples.of(name);
    const target = columnOf('originalUrl');
    const targets = new Set(target === undefined ? texts : samples.of(target));
    return new Set(texts).size >= Math.min(texts.length, targets.size);
  }

  /** Targets have many hosts and are long; short URLs have one host. */
  function spread(name: string): number {
    const texts = samples.of(name);
    const hosts = new Set(texts.map((text) => URL.parse(text)?.host));
    const length = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
    return hosts.size * 1000 + length;
  }
}
