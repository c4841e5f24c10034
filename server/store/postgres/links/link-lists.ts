import type { LinkSort, LinkTotal } from '../../../../shared/links/link-list.ts';
import { EXACT_FIELDS, eachExactField } from '../../../../shared/links/plain-fields.ts';
import { searchWords } from '../../../../shared/links/search-words.ts';
import type { TagCount } from '../../../../shared/links/tags.ts';
import { foldSearched, foldTag } from '../../../../shared/text.ts';
import { linkBytes } from '../../link.ts';
import type { LinkConditions, LinkPage, LinkPageQuery, LinkPosition } from '../../link-calls.ts';
import { linkFilter } from '../../lists/link-filter.ts';
import { PAGE_MAX_BYTES, type Place, toPage, upTo } from '../../lists/link-page.ts';
import { ListPlaces } from '../../lists/list-places.ts';
import type { Database } from '../database/database.ts';
import type { Value } from '../database/session.ts';
import { fromLinkRow, type LinkRow, reversedHost, STORED_LINK, searchable } from '../rows.ts';

/** Links that one statement looks at, so that none takes long however few it finds. */
const LINKS_AT_ONCE = 50_000;
/** Links that are read at once for a condition that only this process can check. */
const ROWS_AT_ONCE = 500;

const LAST_OF_PART = `SELECT created, id FROM links WHERE (created, id) < ($1, $2)
    ORDER BY created DESC, id DESC OFFSET ${LINKS_AT_ONCE - 1} LIMIT 1`;

/** Of the spellings of a tag, the one that sorts last: `sale` rather than `Sale`. */
const MOST_USED_TAGS = `SELECT max(name) AS tag, sum(listed) AS count FROM account_tags
    WHERE account_id = $1 AND listed > 0
      AND NOT EXISTS (SELECT FROM accounts_to_erase WHERE account_id = $1)
    GROUP BY folded ORDER BY sum(listed) DESC, folded LIMIT $2`;

type ListedRow = LinkRow & {
  key?: number | string;
  /** Bytes of the links up to here. */
  bytes: number;
};

/** Pages of links. */
export class LinkLists {
  readonly #database: Database;
  readonly #ofAccounts = new ListPlaces();

  constructor(database: Database) {
    this.#database = database;
  }

  /** See `Store.listLinks`. */
  page(query: LinkPageQuery): Promise<LinkPage> {
    const { accountId, waits } = query;
    const page = () => this.#page(query);
    return accountId === null ? page() : this.#ofAccounts.use(accountId, page, waits);
  }

  async #page(query: LinkPageQuery): Promise<LinkPage> {
    const { after, limit, countUpTo } = query;
    const [places, total] = await Promise.all([
      this.#find(query, limit + 1),
      after === null && countUpTo !== undefined ? this.#count(query, countUpTo) : undefined,
    ]);
    return { ...toPage(places, limit), ...(total && { total }) };
  }

  /** See `Store.countTags`. */
  tags(accountId: string, limit: number): Promise<TagCount[]> {
    return this.#ofAccounts.use(accountId, () =>
      this.#database.readList<TagCount>(MOST_USED_TAGS, [accountId, limit]),
    );
  }

  async #find(query: LinkPageQuery, count: number): Promise<Place[]> {
    const places: Place[] = [];
    let bytes = 0;
    for await (const place of this.#places(query, isCheckedHere(query) ? ROWS_AT_ONCE : count)) {
      // The page is full, and this link shows that there are more.
      if (places.push(place) === count || bytes >= PAGE_MAX_BYTES) break;
      bytes += linkBytes(place.link);
    }
    return places;
  }

  async #count(query: LinkPageQuery, max: number): Promise<LinkTotal> {
    const enough = Math.min(max + 1, Number.MAX_SAFE_INTEGER);
    const { accountId } = query;
    // Those of all accounts in parts, since one statement could take too long.
    if (accountId === null || isCheckedHere(query)) {
      let found = 0;
      for await (const _ of this.#places({ ...query, sort: 'created' }, ROWS_AT_ONCE)) {
        if (++found === enough) break;
      }
      return upTo(max, found);
    }
    const { statement, values } = countLinks({ ...query, accountId }, enough);
    const [row] = await this.#database.readList<{ count: number }>(statement, values);
    return upTo(max, row?.count ?? 0);
  }

  async *#places(query: LinkPageQuery, rowsAtOnce: number): AsyncGenerator<Place> {
    const passes = linkFilter(query);
    for await (const row of this.#rows(query, rowsAtOnce)) {
      const link = fromLinkRow(row);
      // The conditions once more, for those that only this process can check.
      if (passes(link)) yield { ...toPosition(row), link };
    }
  }

  async *#rows(query: LinkPageQuery, limit: number): AsyncGenerator<ListedRow> {
    const { sort = 'created' } = query;
    // By account or by host, there is an index of what is wanted.
    const hasIndex = query.accountId !== null || Boolean(query.host);
    let position = query.after;
    for (;;) {
      const last = hasIndex ? undefined : await this.#lastOfPart(position, query.waits);
      const { statement, values } =
        sort === 'created'
          ? selectNewest(query, { before: position, ...(last && { last }), limit })
          : selectSorted(sort, query, { after: position, limit });
      const rows = await this.#database.readList<ListedRow>(statement, values, query.waits);
      yield* rows;
      const lastRow = rows.at(-1);
      const isCut = lastRow && (rows.length === limit || lastRow.bytes >= PAGE_MAX_BYTES);
      if (isCut) position = toPosition(lastRow);
      else if (last) position = last;
      else return;
    }
  }

  async #lastOfPart(before: LinkPosition | null, waits = false): Promise<LinkPosition | undefined> {
    const { created, id } = before ?? NEWEST;
    const [row] = await this.#database.readList<LinkPosition>(LAST_OF_PART, [created, id], waits);
    return row;
  }
}

function toPosition({ id, link, key }: ListedRow): LinkPosition {
  return { created: link.created, id, ...(key !== undefined && { key }) };
}

export type Conditions = LinkConditions & Pick<LinkPageQuery, 'accountId'>;

type Bound = { statement: string; values: Value[] };
type Parameter = (value: Value) => string;

/** Before and after all links. */
const NEWEST: LinkPosition = { created: Number.MAX_SAFE_INTEGER, id: '' };
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
function selectSorted(
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

/** Counts links of an account, but no more than `max`. Looks once whether their account was deleted, not for each of them. */
export function countLinks(conditions: Conditions & { accountId: string }, max: number): Bound {
  const { clauses, values, parameter } = bind(conditions);
  const isErased = `SELECT FROM accounts_to_erase WHERE account_id = ${parameter(conditions.accountId)}`;
  clauses.push(`NOT EXISTS (${isErased})`);
  const statement = `SELECT count(*) FROM (
      SELECT FROM links WHERE ${clauses.join(' AND ')} LIMIT ${parameter(max)}
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
  // Version 1 is not stored.
  editedSince: (time, parameter) =>
    `(link->>'version' IS NOT NULL AND (link->>'editedAt')::numeric >= ${parameter(time)})`,
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
  ...eachExactField((name) => (value: unknown, parameter: Parameter) => {
    const part = JSON.stringify({ [name]: value }).slice(1, -1);
    return `position(${parameter(part)} IN link::text) > 0`;
  }),
  // The text is searched first, because that is faster.
  importId: (importId, parameter) => {
    const id = parameter(searchable(importId));
    return `position(${id} IN link::text) > 0 AND link->>'importId' = ${id}`;
  },
  // In folded case, after the alias: see `searchedText`. An index has the hash, as the text may be too long for one.
  originalUrl: (originalUrl, parameter) =>
    `hashtextextended(split_part(search_text, E'\\n', 2), 0) = hashtextextended(${parameter(searchable(foldSearched(originalUrl)))}, 0)`,
};

/** Whether there is a condition that the database cannot check, or not exactly. */
function isCheckedHere(conditions: Conditions): boolean {
  return (['matches', ...EXACT_FIELDS] as const).some(
    (name) => name !== 'importId' && conditions[name] !== undefined,
  );
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
