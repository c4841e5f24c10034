import type { z } from 'zod';
import { unescapeFormula } from '../../../../shared/csv-injection.ts';
import { ALIAS_PATTERN } from '../../../../shared/limits.ts';
import { isPlainField } from '../../../../shared/links/fields.ts';
import type { ImportedRow, ImportField } from '../../../../shared/links/transfer.ts';
import { trimText } from '../../../../shared/text.ts';
import { describeIssue } from '../../../lib/parse-input.ts';
import {
  type ImportedLink,
  importedLinkSchema,
  isSafePasswordHash,
  type LinkDraft,
} from '../imported-link.ts';
import { type FileTable, type RawRow, valuesOf } from '../reading/file-table.ts';
import { closesLink } from './access.ts';
import {
  AMBIGUOUS,
  foldCell,
  isNothing,
  type Read,
  readActive,
  readBoolean,
  readCount,
  readRecordTime,
  readSchedule,
  splitList,
  splitShortUrl,
} from './cells.ts';
import type { Meaning } from './columns.ts';
import { fitTexts, readTargeting } from './foreign-fields.ts';
import { normalizeName } from './names.ts';
import { noneIfZero, readJson, readList, readPlain, readText } from './read-values.ts';

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

const PASSWORD_MISSING =
  'The file does not have the password, so the link is paused. Set a password and activate it.';
const PASSWORD_FOREIGN =
  'Passwords of other services are not imported, so the link is paused. Set a password and activate it.';
const NO_VISITS_LEFT = 'It has no visits left, so the link is paused.';
const NEWER_FIELDS =
  'The file has something of this link that only a newer version of Curt knows. It was left out.';

/** Makes links of the rows of a file whose columns are known. */
export function createRowReader(table: Pick<FileTable, 'kind' | 'columns'>, meaning: Meaning) {
  const { source, format, fields, unexplained, dates } = meaning;
  const isOwn = source === 'curt' || (source === 'csv' && table.columns.includes('originalUrl'));
  const isOwnTable = isOwn && table.kind === 'table';
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
    const newer = source === 'curt' ? readNewerFields(values) : [];
    const issues: RowIssue[] = [];
    const notes: RowIssue[] = [];
    const draft: Record<string, unknown> = {};
    const tags: string[] = [];
    let isPaused = false;
    let isProtected = false;
    const pause = (field: string, message: string) => {
      isPaused = true;
      notes.push({ field, message });
    };
    const set = <T>(column: string, field: string, read: Read<T>) => {
      if ('problem' in read) issues.push({ field: column, message: read.problem });
      else if (read.value !== undefined) draft[field] ??= read.value;
    };

    /** What the link works without does not cost it. */
    const setOrNote = (column: string, field: string, read: Read<number>, otherwise: string) => {
      if ('value' in read || read.problem === AMBIGUOUS) set(column, field, read);
      else notes.push({ field: column, message: `${column}: ${read.problem} ${otherwise}` });
    };

    for (const [column, field] of fields) {
      const written = values.get(column);
      const isText = typeof written === 'string';
      const value = isOwnTable && isText ? unescapeFormula(written) : written;
      if (field === 'customAlias') {
        if (typeof value === 'string') draft.aliasIsCustom = value !== '';
        continue;
      }
      if (isOwn ? value === '' || value == null : isNothing(value)) continue;
      switch (field) {
        case 'originalUrl':
        case 'shortUrl':
        case 'domain':
        case 'goneUrl':
          set(column, field, readText(value));
          break;
        case 'alias':
          set(
            column,
            field,
            typeof value === 'number' ? { value: String(value) } : readText(value),
          );
          break;
        case 'created':
        case 'modified':
          setOrNote(
            column,
            field,
            readRecordTime(value, dates),
            'The link is imported without it.',
          );
          break;
        case 'startsAt':
        case 'expiresAt':
          set(column, field, readSchedule(value, dates));
          break;
        case 'hits':
          setOrNote(column, field, readCount(value), 'The link begins with 0 visitors.');
          break;
        case 'maxVisits':
          set(column, field, noneIfZero(readCount(value)));
          break;
        case 'visitsLeft':
          if (value !== -1 && foldCell(value) !== '-1') set(column, field, readCount(value));
          break;
        case 'label':
          // What has no place is left out, and never shown to others instead.
          if (!isOwn && draft.label !== undefined) {
            if (!isSameText(draft.label, value))
              notes.push({ field: column, message: leftOut(column, value) });
          } else set(column, field, readPlain(field, value, source !== 'curt'));
          break;
        case 'previousAliases':
          set(column, field, readList(value, undefined));
          break;
        case 'tags': {
          // A tag of Curt can be any of that.
          const read = isOwnTable
            ? { value: splitList(String(value)) }
            : readList(value, format.tagSeparator);
          if ('problem' in read) issues.push({ field: column, message: read.problem });
          else tags.push(...(read.value ?? []));
          break;
        }
        case 'rules':
        case 'card':
          if (isOwn || source === 'csv') set(column, field, readJson(value));
          break;
        case 'isActive': {
          const isActive = readActive(value);
          if (isActive === undefined)
            pause(column, `It says ${quote(value)}, so the link is paused.`);
          else if (!isActive) isPaused = true;
          break;
        }
        case 'paused':
          if (readBoolean(value) !== false) {
            pause(column, `${column} says ${quote(value)}, so the link is paused.`);
          }
          break;
        case 'status':
          if (readActive(value) !== true) {
            pause(column, `Its status is ${quote(value)}, so the link is paused.`);
          }
          break;
        case 'isDeleted':
          if (readBoolean(value) !== false)
            issues.push({ field: column, message: 'Was deleted there.' });
          break;
        case 'password':
        case 'hasPassword':
        case 'passwordHash':
          if (typeof value === 'string' && isSafePasswordHash(value)) draft.passwordHash = value;
          else if (readBoolean(value) !== false) isProtected = true;
          break;
        case 'id':
          // Of this server, if the link is still there.
          if (source === 'curt') set(column, field, readText(value));
          break;
        case 'iosUrl':
        case 'androidUrl':
          break;
        default:
          if (isPlainField(field)) set(column, field, readPlain(field, value, source !== 'curt'));
      }
    }
    for (const [column, speaks] of unexplained) {
      const value = values.get(column);
      if (!closesLink(value, speaks)) continue;
      const message = `${column} says ${quote(value)}, which Curt does not know, so the link is paused.`;
      pause(column, message);
    }
    if (format.rootAlias !== undefined && draft.alias === format.rootAlias) {
      issues.push({ field: 'key', message: 'Is where a domain leads, and no link.' });
    }
    const lacksPassword = isProtected && draft.passwordHash === undefined;
    if (lacksPassword) {
      const isMissing = source === 'curt' && !hasHash(values);
      const message = isMissing ? PASSWORD_MISSING : PASSWORD_FOREIGN;
      notes.unshift({ field: 'password', message });
    }
    for (const [name, value] of newer) {
      if (isPlainField(name)) set(name, name, readPlain(name, value, false));
    }
    if (newer.some(([name]) => !isPlainField(name))) {
      notes.push({ field: null, message: NEWER_FIELDS });
    }

    if (typeof draft.visitsLeft === 'number') {
      draft.maxVisits ??= Number(draft.hits ?? 0) + draft.visitsLeft || undefined;
      if (draft.visitsLeft === 0) pause('visitsLeft', NO_VISITS_LEFT);
      delete draft.visitsLeft;
    }

    const from = sourceOf(draft);
    Object.assign(draft, resolveAlias(draft, notes));
    const domainId = domainIdColumn === undefined ? null : values.get(domainIdColumn);
    if (draft.domain === null && !isNothing(domainId)) {
      const message = `The file has only the ID of its domain, ${quote(domainId)}, so the link is on the main domain.`;
      notes.push({ field: 'domain', message });
    }
    if (tags.length > 0) draft.tags = tags;
    if (!isOwn) {
      const { notes: cut, ...texts } = fitTexts(draft);
      Object.assign(draft, texts);
      for (const message of cut) notes.push({ field: null, message });
      const targeting = readTargeting({
        values,
        fields,
        originalUrl: draft.originalUrl,
        texts,
      });
      issues.push(...targeting.problems);
      for (const message of targeting.notes) notes.push({ field: null, message });
      if (targeting.rules) draft.rules = targeting.rules;
      if (targeting.card !== undefined) draft.card = targeting.card;
      if (format.forwardsQuery) draft.forwardQuery ??= true;
    }
    if (isPaused || lacksPassword) draft.isActive = false;
    const isPausedForPassword = lacksPassword && !isPaused;
    draft.description ||= null;
    const result = importedLinkSchema.safeParse(draft, { error: describeIssue });
    if (!result.success) issues.push(...toIssues(result.error, issues, fields));
    return issues.length === 0 && result.success
      ? { row: raw.row, source: from, issues: first(notes), link: result.data, isPausedForPassword }
      : { row: raw.row, source: from, issues: first(issues) };
  };

  /** The alias and the domain of a link, of what the file says in several ways. */
  function resolveAlias(draft: Record<string, unknown>, notes: RowIssue[]): Partial<LinkDraft> {
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
    delete draft.shortUrl;
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

function sourceOf(draft: Record<string, unknown>): ImportedRow['source'] {
  const text = (value: unknown) =>
    typeof value === 'string' ? value.slice(0, SOURCE_MAX_CHARACTERS) : null;
  return {
    alias: text(draft.alias),
    shortUrl: text(draft.shortUrl),
    originalUrl: text(draft.originalUrl),
  };
}

function hasHash(values: ReadonlyMap<string, unknown>): boolean {
  return !isNothing(values.get('passwordHash'));
}

/** A server that shares its database with newer ones has exported apart what it did not know. This one may. */
function readNewerFields(values: ReadonlyMap<string, unknown>): [name: string, value: unknown][] {
  const newer = values.get('newerFields');
  return typeof newer === 'object' && newer !== null ? Object.entries(newer) : [];
}

function quote(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `"${trimText(text).slice(0, REASON_MAX_CHARACTERS)}"`;
}

function leftOut(column: string, value: unknown): string {
  return `${column} is left out, because the link has a private title, and visitors must not see it: ${quote(value)}.`;
}

function isSameText(one: unknown, other: unknown): boolean {
  return foldCell(one) === foldCell(other);
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
