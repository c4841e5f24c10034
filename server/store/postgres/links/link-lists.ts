import { hostOfUrl, isWithin } from '../../../lib/host-name.ts';
import type { AllLinksPage, AllLinksQuery } from '../../administration.ts';
import type { Link, LinkPage, LinkPosition, LinkQuery } from '../../link.ts';
import { foldCase } from '../../records/fold-case.ts';
import { linkFilter } from '../../records/link-filter.ts';
import { formatPosition, parsePosition } from '../../records/link-position.ts';
import type { Database } from '../database/database.ts';
import type { Statement, Value } from '../database/statement.ts';
import type { HitCounter } from './hit-counter.ts';
import { fromLinkRow, reversedHost, STORED_LINK, type StoredLink, searchable } from './link-row.ts';

/** Links that one statement looks at, so that none takes long however few it finds. */
const LINKS_AT_ONCE = 50_000;
/** Links that are read at once for a condition that only this process can check. */
const ROWS_AT_ONCE = 500;

/** Before and after all links. */
const NEWEST: LinkPosition = { created: Number.MAX_SAFE_INTEGER, id: '' };
const OLDEST: LinkPosition = { created: Number.MIN_SAFE_INTEGER, id: '' };

const LAST_OF_PART: Statement = {
  name: 'last_link_of_part',
  text: `SELECT created, id FROM links WHERE (created, id) < ($1, $2)
    ORDER BY created DESC, id DESC OFFSET ${LINKS_AT_ONCE - 1} LIMIT 1`,
};

type Conditions = Pick<LinkQuery, 'search' | 'tag'> & Pick<AllLinksQuery, 'accountId' | 'host'>;

/** Pages of links, newest first. */
export class LinkLists {
  readonly #database: Database;
  readonly #hits: HitCounter;

  constructor(database: Database, hits: HitCounter) {
    this.#database = database;
    this.#hits = hits;
  }

  /** See `Store.listLinks`. */
  async page(query: LinkQuery): Promise<LinkPage> {
    const links = await this.#find({ ...query, host: null });
    return { links: links.slice(0, query.limit), hasMore: links.length > query.limit };
  }

  /** See `Administration.listAllLinks`. */
  async pageOfAll(query: AllLinksQuery): Promise<AllLinksPage> {
    const found = await this.#find({ ...query, after: parsePosition(query.after), tag: null });
    const links = found.slice(0, query.limit);
    const last = links.at(-1);
    return { links, next: found.length > query.limit && last ? formatPosition(last) : null };
  }

  /** One more than a page, to know whether there are more. */
  async #find(query: Omit<LinkQuery, 'accountId'> & Conditions): Promise<Link[]> {
    const { host, limit, matches } = query;
    const passes = linkFilter(query);
    const links: Link[] = [];
    for await (const row of this.#rows(query, matches ? ROWS_AT_ONCE : limit + 1)) {
      const link = this.#hits.withHits(fromLinkRow(row));
      // The conditions once more: in the database, a search may go beyond the end of a text.
      const isOfHost = host === null || isWithin(hostOfUrl(link.targetUrl), host);
      if (isOfHost && passes(link) && links.push(link) > limit) break;
    }
    return links;
  }

  async *#rows(
    query: Conditions & Pick<LinkQuery, 'after'>,
    rowsAtOnce: number,
  ): AsyncGenerator<StoredLink> {
    const { statement, values } = toStatement(query, rowsAtOnce);
    // By account or by host, there is an index of what is wanted.
    const hasIndex = query.accountId !== null || query.host !== null;
    let before = query.after ?? NEWEST;
    for (;;) {
      const last = hasIndex ? undefined : await this.#lastOfPart(before);
      const { created, id } = last ?? OLDEST;
      const positions = [before.created, before.id, created, id];
      const rows = await this.#hits.readWithHits(() =>
        this.#database.read<StoredLink>(statement, [...positions, ...values]),
      );
      yield* rows;
      const lastRow = rows.at(-1);
      if (lastRow && rows.length === rowsAtOnce) {
        before = { created: lastRow.link.created, id: lastRow.id };
      } else if (last) before = last;
      else return;
    }
  }

  async #lastOfPart({ created, id }: LinkPosition): Promise<LinkPosition | undefined> {
    const [row] = await this.#database.read<LinkPosition>(LAST_OF_PART, [created, id]);
    return row;
  }
}

/** The statement that reads links before a position (`$1`, `$2`) and from another one on, and its other values. */
function toStatement(
  { accountId, host, search, tag }: Conditions,
  rowsAtOnce: number,
): { statement: Statement; values: Value[] } {
  const values: Value[] = [];
  const parameter = (value: Value) => `$${values.push(value) + 4}`;
  const names: string[] = [];
  const conditions = ['(created, id) < ($1, $2) AND (created, id) >= ($3, $4)'];
  if (accountId !== null) {
    names.push('account');
    conditions.push(`account_id = ${parameter(accountId)}`);
  }
  if (host !== null) {
    names.push('host');
    const beginning = reversedHost(host);
    // The character after the dot: all texts that begin with the host are in between.
    const end = `${beginning.slice(0, -1)}/`;
    conditions.push(
      `reversed_host >= ${parameter(beginning)} AND reversed_host < ${parameter(end)}`,
    );
  }
  if (search) {
    names.push('search');
    conditions.push(`position(${parameter(searchable(foldCase(search)))} IN search_text) > 0`);
  }
  if (tag !== null) {
    names.push('tag');
    conditions.push(`${parameter(searchable(foldCase(tag)))} = ANY (tags)`);
  }
  const text = `SELECT ${STORED_LINK} FROM visible_links WHERE ${conditions.join(' AND ')}
    ORDER BY created DESC, id DESC LIMIT ${parameter(rowsAtOnce)}`;
  return { statement: { name: ['list_links', ...names].join('_'), text }, values };
}
