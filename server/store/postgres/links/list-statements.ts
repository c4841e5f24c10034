import { EXACT_FIELDS, eachExactField } from '../../../../shared/links/fields.ts';
import type { LinkSort } from '../../../../shared/links/link-list.ts';
import { searchWords } from '../../../../shared/links/search-words.ts';
import { foldSearched, foldTag } from '../../../../shared/text.ts';
import type { AllLinksQuery } from '../../administration.ts';
import type { LinkConditions, LinkPosition } from '../../link.ts';
import { PAGE_MAX_BYTES } from '../../records/link-page.ts';
import type { Value } from '../database/statement.ts';
import { reversedHost, STORED_LINK, searchable } from './link-row.ts';

export type Conditions = LinkConditions & Pick<AllLinksQuery, 'accountId'>;

type Bound = { statement: string; values: Value[] };
type Parameter = (value: Value) => string;

/** Before and after all links. */
export const NEWEST: LinkPosition = { created: Number.MAX_SAFE_INTEGER, id: '' };
const OLDEST: LinkPosition = { created: Number.MIN_SAFE_INTEGER, id: '' };

/** No index has these: hits change all the time, and an index would make that expensive. */
const KEYS = {
  visits: 'hits',
  lastVisit: `coalesce((
      SELECT max(last_visit) FROM visits WHERE subject = 'link ' || visible_links.id
    ), 0)`,
  alias: 'alias_order',
} satisfies Record<Exclude<LinkSort, 'created'>, string>;

/** Reads links in the order of their creation, newest first, between two positions. */
export function selectNewest(
  conditions: Conditions,
  { before, last, limit }: { before: LinkPosition | null; last?: LinkPosition; limit: number },
): Bound {
  const { created, id } = before ?? NEWEST;
  const { clauses, values, parameter } = bind(conditions);
  clauses.push(`(created, id) < (${parameter(created)}, ${parameter(id)})`);
  const end = last ?? OLDEST;
  clauses.push(`(created, id) >= (${parameter(end.created)}, ${parameter(end.id)})`);
  const order = 'created DESC, id DESC';
  const statement = `SELECT ${STORED_LINK}, created FROM visible_links WHERE ${clauses.join(' AND ')}
    ORDER BY ${order} LIMIT ${parameter(limit)}`;
  return { statement: untilFull(statement, order), values };
}

/** Reads links in the order of a key, after a position. */
export function selectSorted(
  sort: Exclude<LinkSort, 'created'>,
  conditions: Conditions,
  { after, limit }: { after: LinkPosition | null; limit: number },
): Bound {
  const { clauses, values, parameter } = bind(conditions);
  const isAscending = sort === 'alias';
  const start = isAscending ? '' : Number.MAX_SAFE_INTEGER;
  const { key = start, created, id } = after ?? NEWEST;
  // No two links have one alias.
  const isAfter = isAscending
    ? `key > ${parameter(key)}`
    : `(key, created, id) < (${parameter(key)}, ${parameter(created)}, ${parameter(id)})`;
  const order = isAscending ? 'key' : 'key DESC, created DESC, id DESC';
  // `OFFSET 0` keeps the key from being worked out twice.
  const statement = `SELECT * FROM (
      SELECT ${STORED_LINK}, created, ${KEYS[sort]} AS key FROM visible_links
      WHERE ${clauses.join(' AND ')} OFFSET 0
    ) AS keyed
    WHERE ${isAfter} ORDER BY ${order} LIMIT ${parameter(limit)}`;
  return { statement: untilFull(statement, order), values };
}

/** Counts links, but no more than `max`. Looks once whether their account was deleted, not for each of them. */
export function countLinks(conditions: Conditions, max: number): Bound {
  const { clauses, values, parameter } = bind(conditions);
  const { accountId } = conditions;
  if (accountId !== null) {
    const isErased = `SELECT FROM accounts_to_erase WHERE account_id = ${parameter(accountId)}`;
    clauses.push(`NOT EXISTS (${isErased})`);
  }
  const statement = `SELECT count(*) FROM (
      SELECT FROM ${accountId === null ? 'visible_links' : 'links'} WHERE ${clauses.join(' AND ')} LIMIT ${parameter(max)}
    ) AS counted`;
  return { statement, values };
}

/** The links of a list up to the one that fills a page, with the bytes of all of them up to each. */
function untilFull(list: string, order: string): string {
  return `SELECT * FROM (
      SELECT *, octet_length(link::text) AS size,
        sum(octet_length(link::text)) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) AS bytes
      FROM (${list}) AS listed
    ) AS sized
    WHERE bytes - size < ${PAGE_MAX_BYTES} ORDER BY ${order}`;
}

/** A pattern for `LIKE`. */
function containing(word: string): string {
  return `%${searchable(word).replace(/[\\%_]/g, '\\$&')}%`;
}

type Clause<Value> = (value: NonNullable<Value>, parameter: Parameter) => string;
type InDatabase = Omit<LinkConditions, 'matches'>;

/** The clause of each condition that the database can check. */
const CLAUSES: { [K in keyof InDatabase]-?: Clause<LinkConditions[K]> } = {
  isDeleted: (isDeleted) => `deleted_at IS ${isDeleted ? 'NOT NULL' : 'NULL'}`,
  exceptId: (exceptId, parameter) => `id <> ${parameter(exceptId)}`,
  host: (host, parameter) => {
    const beginning = reversedHost(host);
    // The character after the dot: all texts that begin with the host are in between.
    const end = `${beginning.slice(0, -1)}/`;
    const isTarget = `reversed_host >= ${parameter(beginning)} AND reversed_host < ${parameter(end)}`;
    const isOther = `other_hosts <> '{}' AND other_hosts @> ARRAY[${parameter(host)}]`;
    return `(${isTarget} OR ${isOther})`;
  },
  search: (search, parameter) => {
    const words = searchWords(search).map((spellings) => spellings.map(containing));
    const plain = words.flatMap((spellings) => (spellings.length === 1 ? spellings : []));
    const others = words.filter(({ length }) => length > 1);
    const clauses = others.map((spellings) => `search_text LIKE ANY (${parameter(spellings)})`);
    return [`search_text LIKE ALL (${parameter(plain)})`, ...clauses].join(' AND ');
  },
  tag: (tag, parameter) => `${parameter(searchable(foldTag(tag)))} = ANY (tags)`,
  // As `link` has it, which keeps the text that was written. What is in a link may have a field of this name, too.
  ...eachExactField((name) => (value, parameter) => {
    const part = JSON.stringify({ [name]: value }).slice(1, -1);
    return `position(${parameter(part)} IN link::text) > 0`;
  }),
  // In folded case, after the alias: see `searchedText`. An index has the hash, as the text may be too long for one.
  originalUrl: (originalUrl, parameter) =>
    `hashtextextended(split_part(search_text, E'\\n', 2), 0) = hashtextextended(${parameter(searchable(foldSearched(originalUrl)))}, 0)`,
};

/** Whether there is a condition that the database cannot check, or not exactly. */
export function isCheckedHere(conditions: Conditions): boolean {
  return (['matches', ...EXACT_FIELDS] as const).some((name) => conditions[name] !== undefined);
}

function bind({ accountId, ...conditions }: Conditions) {
  const values: Value[] = [];
  const parameter = (value: Value) => `$${values.push(value)}`;
  const clauses = ['true'];
  if (accountId !== null) clauses.push(`account_id = ${parameter(accountId)}`);
  for (const name of Object.keys(CLAUSES) as (keyof InDatabase)[]) {
    const value = conditions[name] ?? undefined;
    const toClause = CLAUSES[name] as Clause<typeof value>;
    if (value !== undefined) clauses.push(toClause(value, parameter));
  }
  return { clauses, values, parameter };
}
