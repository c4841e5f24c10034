import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { ALIAS_PATTERN } from '../../../../shared/bounds.ts';
import { unescapeFormula } from '../../../../shared/csv.ts';
import { isPlainField } from '../../../../shared/links/plain-fields.ts';
import type { ImportedRow, ImportField, ImportQuery } from '../../../../shared/links/transfer.ts';
import { trimText } from '../../../../shared/text.ts';
import { isSafePasswordHash } from '../../../accounts/passwords.ts';
import { describeIssue } from '../../../lib/parse-input.ts';
import { createYielder } from '../../../lib/yield-to-others.ts';
import { type FileTable, normalizeName, type RawRow, valuesOf } from '../reading/file-table.ts';
import { readFile } from '../reading/read-file.ts';
import type { ReadTextOptions } from '../reading/read-text.ts';
import { AMBIGUOUS, foldCell, isNothing, readActive, readBoolean, splitShortUrl } from './cells.ts';
import { closesLink } from './column-names.ts';
import { findMeaning, type Meaning } from './columns.ts';
import { type ImportedLink, importedLinkSchema, readField, readPlain } from './field-values.ts';
import { fitTexts, readTargeting } from './foreign-fields.ts';

/** More would be a report that nobody reads. */
const SOURCE_MAX_CHARACTERS = 2048;
const REASON_MAX_CHARACTERS = 60;
const ISSUES_MAX = 10;

export type RowIssue = ImportedRow['issues'][number];

/** A row, with its link and what to say about it, or with all that is wrong with it. */
export type Row = {
  row: number;
  source: ImportedRow['source'];
  issues: RowIssue[];
  link?: ImportedLink;
  /** Whether nothing but a password that the file does not have pauses the link. */
  isPausedForPassword?: boolean;
};

/** The values of a row by field, before the schema of links has seen them. */
type Draft = Record<string, unknown>;

const PASSWORD_MISSING =
  'The file does not have the password, so the link is paused. Set a password and activate it.';
const PASSWORD_FOREIGN =
  'Passwords of other services are not imported, so the link is paused. Set a password and activate it.';
const NO_VISITS_LEFT = 'It has no visits left, so the link is paused.';
const NEWER_FIELDS =
  'The file has something of this link that only a newer version of Curt knows. It was left out.';
/** What a link works without does not cost it. */
const WITHOUT = new Map<ImportField, string>([
  ['created', 'The link is imported without it.'],
  ['modified', 'The link is imported without it.'],
  ['hits', 'The link begins with 0 visitors.'],
]);

/** What redirects are from in lists of them, if it is no address: `^/blog/(.*)`, `/blog/*`. */
const ADDRESSES = /^\^|\.[*+]|\*$/;

type ReadOptions = Omit<ReadTextOptions, 'encoding'> &
  Pick<ImportQuery, 'from' | 'mapping' | 'dates' | 'encoding'>;

/**
 * Reads a file: what it is, what its columns mean, and the link of each row, or what is wrong with it.
 *
 * @throws ServiceError if the file as a whole is none that can be imported
 */
export async function readRows(stream: Readable, options: ReadOptions) {
  const { rows: rawRows, encoding, ...table } = await readFile(stream, options);
  function* values() {
    for (const raw of rawRows) if (!('problem' in raw)) yield valuesOf(raw, table.columns);
  }
  const meaning = findMeaning({ ...table, rows: rawRows }, values, options);
  const readRow = createRowReader(table, meaning);
  const yieldToOthers = createYielder(options.nextTurn);
  const rows: Row[] = [];
  for (const raw of rawRows) {
    rows.push(readRow(raw));
    await yieldToOthers();
  }
  const { source, signs, columns, dates } = meaning;
  const given: ReadonlySet<ImportField> = new Set(meaning.fields.values());
  return { about: { source, signs, columns, dates, encoding }, given, rows };
}

/** Makes links of the rows of a file whose columns are known. */
function createRowReader(table: Pick<FileTable, 'kind' | 'columns'>, meaning: Meaning) {
  const { source, format, fields, unexplained, dates } = meaning;
  const isOwn = source === 'curt' || (source === 'csv' && table.columns.includes('originalUrl'));
  const isOwnTable = isOwn && table.kind === 'table';
  const { tagSeparator } = format;
  const options = { isForeign: source !== 'curt', isOwnTable, dates, tagSeparator };
  // As tables of Shlink and Kutt have it, whose domains are in another table.
  const domainIdColumn = isOwn
    ? undefined
    : table.columns.find((name) => normalizeName(name) === 'domainid');

  return function readRow(raw: RawRow): Row {
    if ('problem' in raw) {
      const nothing = { alias: null, shortUrl: null, originalUrl: null };
      return { row: raw.row, source: nothing, issues: [{ field: null, message: raw.problem }] };
    }
    const values = valuesOf(raw, table.columns);
    const issues: RowIssue[] = [];
    const notes: RowIssue[] = [];
    const draft: Draft = {};
    let isPaused = false;
    let isProtected = false;
    const pause = (field: string, message: string) => {
      isPaused = true;
      notes.push({ field, message });
    };

    for (const [column, field] of fields) {
      const written = values.get(column);
      const value = isOwnTable && typeof written === 'string' ? unescapeFormula(written) : written;
      if (field === 'customAlias') {
        if (typeof value === 'string') draft.customAlias = value;
      } else if (!(isOwn ? value === '' || value == null : isNothing(value))) {
        take(column, field, value);
      }
    }
    for (const [column, speaks] of unexplained) {
      const value = values.get(column);
      if (!closesLink(value, speaks)) continue;
      pause(
        column,
        `${column} says ${quote(value)}, which Curt does not know, so the link is paused.`,
      );
    }
    if (source === 'curt') takeNewerFields(values.get('newerFields'));
    if (format.rootAlias !== undefined && draft.alias === format.rootAlias) {
      issues.push({ field: 'key', message: 'Is where a domain leads, and no link.' });
    }
    const lacksPassword = isProtected && draft.passwordHash === undefined;
    if (lacksPassword) {
      const isMissing = source === 'curt' && isNothing(values.get('passwordHash'));
      const message = isMissing ? PASSWORD_MISSING : PASSWORD_FOREIGN;
      notes.unshift({ field: 'password', message });
    }
    if (typeof draft.visitsLeft === 'number') {
      draft.maxVisits ??= Number(draft.hits ?? 0) + draft.visitsLeft || undefined;
      if (draft.visitsLeft === 0) pause('visitsLeft', NO_VISITS_LEFT);
    }
    const address = resolveAlias(draft, notes);
    if (ADDRESSES.test(address.alias)) {
      issues.push({ field: 'alias', message: 'Stands for many addresses, which no link does.' });
    }
    const domainId = domainIdColumn === undefined ? null : values.get(domainIdColumn);
    if (address.domain === null && !isNothing(domainId)) {
      const message = `The file has only the ID of its domain, ${quote(domainId)}, so the link is on the main domain.`;
      notes.push({ field: 'domain', message });
    }
    const from = sourceOf(draft);
    const result = importedLinkSchema.safeParse(
      {
        ...draft,
        ...(isOwn ? { description: draft.description || null } : fitForeign()),
        ...address,
        ...(draft.customAlias !== undefined && { aliasIsCustom: draft.customAlias !== '' }),
        isActive: !isPaused && !lacksPassword,
      },
      { error: describeIssue },
    );
    if (!result.success) issues.push(...toIssues(result.error, issues, fields));
    return issues.length === 0 && result.success
      ? {
          row: raw.row,
          source: from,
          issues: first(notes),
          link: result.data,
          isPausedForPassword: lacksPassword && !isPaused,
        }
      : { row: raw.row, source: from, issues: first(issues) };

    function take(column: string, field: ImportField, value: unknown): void {
      switch (field) {
        case 'isActive': {
          const isActive = readActive(value);
          if (isActive === undefined)
            pause(column, `It says ${quote(value)}, so the link is paused.`);
          else if (!isActive) isPaused = true;
          return;
        }
        case 'paused':
          if (readBoolean(value) !== false)
            pause(column, `${column} says ${quote(value)}, so the link is paused.`);
          return;
        case 'status':
          if (readActive(value) !== true)
            pause(column, `Its status is ${quote(value)}, so the link is paused.`);
          return;
        case 'isDeleted':
          if (readBoolean(value) !== false)
            issues.push({ field: column, message: 'Was deleted there.' });
          return;
        case 'password':
        case 'hasPassword':
        case 'passwordHash':
          if (typeof value === 'string' && isSafePasswordHash(value)) draft.passwordHash = value;
          else if (readBoolean(value) !== false) isProtected = true;
          return;
        default:
          takeValue(column, field, value);
      }
    }

    function takeValue(column: string, field: ImportField, value: unknown): void {
      // Of this server, if the link is still there.
      if (field === 'id' && source !== 'curt') return;
      // Of other services, `readTargeting` reads them.
      if ((field === 'rules' || field === 'card') && !isOwn && source !== 'csv') return;
      if (field === 'label' && !isOwn && draft.label !== undefined) {
        // What has no place is left out, and never shown to others instead.
        if (foldCell(draft.label) === foldCell(value)) return;
        const message = `${column} is left out, because the link has a private title, and visitors must not see it: ${quote(value)}.`;
        notes.push({ field: column, message });
        return;
      }
      const read = readField(field, value, options);
      if (!read) return;
      const without = WITHOUT.get(field);
      if ('problem' in read) {
        const { problem } = read;
        if (!without || problem === AMBIGUOUS) issues.push({ field: column, message: problem });
        else notes.push({ field: column, message: `${column}: ${problem} ${without}` });
      } else if (field === 'tags') {
        draft.tags = [...((draft.tags as string[] | undefined) ?? []), ...(read.value as string[])];
      } else {
        draft[field] ??= read.value;
      }
    }

    /** A server that shares its database with newer ones has exported apart what it did not know. This one may. */
    function takeNewerFields(newer: unknown): void {
      if (typeof newer !== 'object' || newer === null) return;
      let isNewer = false;
      for (const [name, value] of Object.entries(newer)) {
        const read = isPlainField(name) ? readPlain(name, value, false) : undefined;
        if (!read) isNewer = true;
        else if ('problem' in read) issues.push({ field: name, message: read.problem });
        else draft[name] ??= read.value;
      }
      if (isNewer) notes.push({ field: null, message: NEWER_FIELDS });
    }

    /** What other services say in ways of their own, within Curt's limits. */
    function fitForeign() {
      const { notes: cut, ...texts } = fitTexts(draft);
      const { originalUrl } = draft;
      const targeting = readTargeting({ values, fields, originalUrl, texts });
      issues.push(...targeting.problems);
      for (const message of [...cut, ...targeting.notes]) notes.push({ field: null, message });
      return {
        ...texts,
        ...(targeting.rules && { rules: targeting.rules }),
        ...(targeting.card !== undefined && { card: targeting.card }),
        ...(format.forwardsQuery && { forwardQuery: draft.forwardQuery ?? true }),
      };
    }
  };

  /** The alias and the domain of a link, of what the file says in several ways. */
  function resolveAlias(draft: Draft, notes: RowIssue[]) {
    const {
      alias: cell = '',
      shortUrl,
      domain,
    } = draft as { alias?: string; shortUrl?: string; domain?: string };
    const isUrl = cell.includes('://');
    const short = splitShortUrl(isUrl ? cell : (shortUrl ?? ''), format.isInFolder);
    const hasDomain = [...fields.values()].includes('domain');
    const host = hasDomain ? (domain ?? null) : short.host;
    const written = isUrl ? '' : trimSlashes(cell);
    if (source === 'bitly' && Array.isArray(draft.previousAliases)) {
      // A custom back-half is what was printed, but the others still work.
      const all = [...draft.previousAliases, shortUrl]
        .map((url) => splitShortUrl(String(url ?? '')))
        .filter((each) => each.alias !== '');
      // A custom back-half may be written without its domain.
      const hostOfAny = all.find((each) => each.host !== null)?.host ?? null;
      const [alias = '', ...previousAliases] = new Set(all.map((each) => each.alias));
      return { alias, previousAliases, domain: hasDomain ? host : hostOfAny };
    }
    if (written === '' || short.alias === '' || written === short.alias) {
      return { alias: written || short.alias, domain: host };
    }
    // `00789` is 789 in a spreadsheet, and `1E8` is 1.00E+08.
    const isSame = toNumber(written) === toNumber(short.alias) || !ALIAS_PATTERN.test(written);
    if (!ALIAS_PATTERN.test(short.alias)) return { alias: written, domain: host };
    if (!isSame) {
      // In an exported table of Curt, somebody has edited it: this is another link.
      if (written.toLowerCase() !== short.alias.toLowerCase()) {
        const message = `The short URL says "${short.alias}", but the alias is ${quote(written)}, which is used.`;
        notes.push({ field: 'shortUrl', message });
      }
      return { alias: written, domain: host };
    }
    const message = `The alias says ${quote(written)}, as a spreadsheet writes it. The short URL says "${short.alias}", which is used.`;
    notes.push({ field: 'alias', message });
    return { alias: short.alias, domain: host };
  }
}

/** A row can have an issue in each of its columns and values, so that the report would be larger than the file. */
function first(issues: RowIssue[]): RowIssue[] {
  const left = issues.length - ISSUES_MAX;
  if (left <= 0) return issues;
  return [...issues.slice(0, ISSUES_MAX), { field: null, message: `And ${left} more.` }];
}

function trimSlashes(text: string): string {
  // A pattern for the end would look at each run of slashes in the middle to its end.
  let start = 0;
  let end = text.length;
  while (text[start] === '/') start++;
  while (end > start && text[end - 1] === '/') end--;
  return text.slice(start, end);
}

/** NaN, which equals nothing, if it is none. */
function toNumber(text: string): number {
  return /^[\d.,]+([eE][+-]?\d{1,3})?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
}

function sourceOf(draft: Draft): ImportedRow['source'] {
  const text = (value: unknown) =>
    typeof value === 'string' ? value.slice(0, SOURCE_MAX_CHARACTERS) : null;
  return {
    alias: text(draft.alias),
    shortUrl: text(draft.shortUrl),
    originalUrl: text(draft.originalUrl),
  };
}

function quote(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `"${trimText(text).slice(0, REASON_MAX_CHARACTERS)}"`;
}

function toIssues(
  { issues }: z.ZodError,
  known: RowIssue[],
  fields: ReadonlyMap<string, ImportField>,
): RowIssue[] {
  // A field whose value could not be read is missing for the schema.
  const unread = new Set<string | undefined>(known.map(({ field }) => fields.get(field ?? '')));
  return issues
    .filter(({ path: [name] }) => !unread.has(String(name)))
    .map(({ path, message }) => ({ field: path.join('.') || null, message }));
}
