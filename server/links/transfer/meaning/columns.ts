import { ALIAS_PATTERN } from '../../../../shared/limits.ts';
import {
  IMPORT_FIELDS,
  type ImportColumn,
  type ImportField,
} from '../../../../shared/links/transfer.ts';
import { IMPORT_SOURCES, type ImportSource } from '../../../../shared/links/transfer-formats.ts';
import { ServiceError, withIssue } from '../../../lib/service-error.ts';
import type { FileTable } from '../reading/file-table.ts';
import { type AccessColumn, accessColumn, closesLink } from './access.ts';
import {
  type DateOrder,
  isAmbiguousDate,
  isNothing,
  lacksZone,
  orderOf,
  readBoolean,
  readTime,
} from './cells.ts';
import { FORMATS, type Format, KNOWN_FILES } from './formats.ts';
import { NAMES, NEW_PLACES, normalizeName, OLD_PLACES } from './names.ts';

const EXAMPLE_MAX_CHARACTERS = 80;
const NAMES_LISTED_MAX = 10;
/** Rows whose values tell what a column is. */
const SAMPLE_ROWS = 50;
/** As phpMyAdmin exports `yourls_url` without a header. */
const YOURLS_COLUMNS = ['keyword', 'url', 'title', 'timestamp', 'ip', 'clicks'];
/** Several columns add up, or all say something. */
const SEVERAL = new Set<ImportField>([
  ...(['tags', 'rules', 'card', 'isActive', 'paused', 'status'] as const),
  ...(['password', 'hasPassword', 'passwordHash', 'isDeleted'] as const),
]);
/** Of a page or a record, such as `hash` of Pinboard and a UUID. */
const DIGEST = /^[\da-f-]{32,}$/i;
/** What says itself that it is for the owner, or is no text that somebody has written for others. */
const NAMES_OF_LABELS = new Set(['label', 'name', 'privatetitle', 'internalname']);
const TIMES = new Set<ImportField>(['created', 'modified', 'startsAt', 'expiresAt']);

export type Mapping = Record<string, ImportField | null>;

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

type Options = {
  from?: ImportSource | undefined;
  mapping?: Mapping | undefined;
  dates?: DateOrder | undefined;
};

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
  const format = FORMATS[detected] ?? { signs: [], fields: {} };
  const assigned = assignFields(table, format, samples, detected);
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

function assertKnown(mapping: Mapping, { columns }: FileTable): void {
  const unknown = Object.keys(mapping).filter((name) => !columns.includes(name));
  if (unknown.length === 0) return;
  throw withIssue('mapping', `The file has no column ${list(unknown)}. It has ${list(columns)}.`);
}

function noDestinations({ columns, kind, rows }: FileTable, format: Format, from?: string) {
  const what = kind === 'json' ? 'fields' : 'columns';
  const found =
    columns.length > 0
      ? `The file has ${columns.length} ${columns.length === 1 ? what.slice(0, -1) : what}: ${list(columns)}; none is a URL.`
      : `The file has no ${rows.length > 0 ? what : 'links'}.`;
  const [expected] = from && from !== 'csv' ? format.signs : [];
  const hint = expected ? ` ${from} has ${expected.join(' and ')}.` : ` ${KNOWN_FILES}`;
  return new ServiceError('invalid_request', found + hint);
}

function list(names: string[]): string {
  const shown = names.slice(0, NAMES_LISTED_MAX).map((name) => name.slice(0, 40));
  return shown.join(', ') + (names.length > shown.length ? ', …' : '');
}

type Samples = ReturnType<typeof createSamples>;

/** The values of the first rows, as texts. */
function createSamples(valuesOfRows: () => Iterable<Map<string, unknown>>) {
  const byColumn = new Map<string, string[]>();
  let rows = 0;
  for (const values of valuesOfRows()) {
    if (++rows > SAMPLE_ROWS) break;
    for (const [name, value] of values) {
      if (isNothing(value)) continue;
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
      const texts = byColumn.get(name);
      if (texts) texts.push(text.trim());
      else byColumn.set(name, [text.trim()]);
    }
  }
  const of = (name: string) => byColumn.get(name) ?? [];
  const all = (name: string, isSo: (text: string) => boolean) =>
    of(name).length > 0 && of(name).every(isSo);
  const most = (name: string, isSo: (text: string) => boolean) =>
    of(name).filter(isSo).length > of(name).length / 2;
  return { of, all, most };
}

function detectSource({ columns, kind, isOfCurt }: FileTable, samples: Samples): ImportSource {
  if (kind === 'bookmarks' || kind === 'list') return kind;
  if (isOfCurt || columns.includes('originalUrl')) return 'curt';
  if (isHeaderlessYourls(columns, samples)) return 'yourls';
  const names = new Set(columns.map(normalizeName));
  const ranked = IMPORT_SOURCES.flatMap((source) => {
    const format = FORMATS[source];
    if (!format || source === 'curt' || source === 'bookmarks') return [];
    const signs = signsOf(format, columns);
    const known = Object.keys(format.fields).filter((name) => names.has(normalizeName(name)));
    return signs.length > 0 ? [{ source, known: known.length }] : [];
  });
  ranked.sort((one, other) => other.known - one.known);
  return ranked[0]?.source ?? 'csv';
}

/** The columns of the file that tell its format, as the file writes them. */
function signsOf({ signs }: Format, columns: string[]): string[] {
  const byName = new Map(columns.map((column) => [normalizeName(column), column]));
  const found = signs
    .map((names) => names.map((name) => byName.get(normalizeName(name))))
    .find((each) => each.every((name) => name !== undefined));
  return (found as string[] | undefined) ?? [];
}

const isPlace = (places: string[], name: string) => places.map(normalizeName).includes(name);
const isNumber = (text: string) => /^\d+$/.test(text);
/** Numbers, dates, yes and no. */
const isPlain = (text: string) =>
  isNumber(text) || readBoolean(text) !== undefined || 'value' in readTime(text, 'day');
const isUrl = (text: string) => /^https?:\/\//i.test(text);

/** Of two columns with such a field, one is read, and the other must not be lost. */
const LIMITS = (['startsAt', 'expiresAt', 'maxVisits', 'visitsLeft'] as const).flatMap(
  (field) => NAMES[field]?.map(normalizeName) ?? [],
);

function isHeaderlessYourls(columns: string[], { all }: Samples): boolean {
  return (
    columns.length === YOURLS_COLUMNS.length &&
    columns.every((name, index) => name === `Column ${index + 1}`) &&
    all('Column 2', isUrl) &&
    all('Column 4', (text) => /^\d{4}-\d\d-\d\d \d\d:/.test(text))
  );
}

function assignFields(
  { columns }: FileTable,
  format: Format,
  samples: Samples,
  source: ImportSource,
) {
  const fields = new Map<string, ImportField>();
  const rivals = new Set<string>();
  const open = new Set(columns);
  const assign = (column: string, field: ImportField | null) => {
    if (field) fields.set(column, field);
    open.delete(column);
  };
  const has = (field: ImportField) => [...fields.values()].includes(field);

  const byName = Map.groupBy(columns, normalizeName);
  const named = (name: string) => byName.get(normalizeName(name)) ?? [];
  const isYourls = source === 'yourls' && isHeaderlessYourls(columns, samples);
  for (const [name, field] of Object.entries(format.fields)) {
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
    const isOld = isPlace(OLD_PLACES, name);
    if (isOld && field === 'shortUrl') return samples.all(column, isUrl);
    const isPlugin = byName.has('target') && (name === 'source' || name === 'origin');
    if (isOld) return isPlugin || samples.all(column, (text) => text.startsWith('/'));
    if (isPlace(NEW_PLACES, name)) return samples.all(column, isUrl);
    if (field !== 'alias') return true;
    if (name === 'hash' || name === 'id') {
      if (samples.all(column, (text) => DIGEST.test(text))) return false;
    }
    if (name === 'name') return isAliasName(column);
    if (name !== 'id') return true;
    return !has('shortUrl') && !samples.all(column, isNumber);
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
  const unexplained: Meaning['unexplained'] = new Map();
  for (const column of open) {
    const name = normalizeName(column);
    unexplained.set(column, LIMITS.includes(name) ? 'closing' : accessColumn(name));
  }
  return { fields, rivals, unexplained };

  /** What no name says. */
  function assignByValues(): void {
    if (!has('originalUrl')) {
      const urls = [...open]
        .filter((name) => samples.most(name, isUrl))
        .sort((one, other) => spread(other) - spread(one));
      // What is called a short URL is the target only if nothing else is a URL.
      const named = columns.find(
        (name) => fields.get(name) === 'shortUrl' && samples.most(name, isUrl),
      );
      const [target = named, short] = urls;
      if (target !== undefined) assign(target, 'originalUrl');
      if (short !== undefined && !has('shortUrl')) assign(short, 'shortUrl');
    }
    const isHeaderless = columns.every((name, index) => name === `Column ${index + 1}`);
    if (isHeaderless && !has('shortUrl') && !has('alias')) {
      const aliases = [...open].filter((name) =>
        samples.all(name, (text) => ALIAS_PATTERN.test(text)),
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
    const target = columns.find((column) => fields.get(column) === 'originalUrl');
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
