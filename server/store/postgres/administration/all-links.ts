import { hostOfUrl, isWithin } from '../../../core/host-name.ts';
import type { AllLinksPage, AllLinksQuery } from '../../administration.ts';
import type { Link } from '../../link.ts';
import { foldCase } from '../../records/fold-case.ts';
import type { Database } from '../database/database.ts';
import type { Statement, Value } from '../database/statement.ts';
import type { HitCounter } from '../links/hit-counter.ts';
import type { LinkFinder } from '../links/link-finder.ts';
import { passesOf } from '../links/link-lists.ts';
import {
  fromLinkRow,
  reversedHost,
  STORED_LINK,
  type StoredLink,
  searchable,
} from '../links/link-row.ts';
import { numberOfPosition } from './positions.ts';
import { readNewestFirst } from './read-newest-first.ts';

const NUMBERS_AT_ONCE = 50_000;
/** Links that are read at once for a condition that only this process can check. */
const ROWS_AT_ONCE = 1000;

const LAST: Statement = {
  name: 'last_link',
  text: 'SELECT max(number) AS number FROM aliases WHERE id IS NOT NULL AND number < $1',
};

const FIND: Statement = {
  name: 'find_link_by_id',
  text: `SELECT ${STORED_LINK} FROM aliases
    WHERE id = $1 AND account_id NOT IN (SELECT account_id FROM accounts_to_erase)`,
};

type Row = StoredLink & { number: number };

/** Lists the links of all accounts, added last first. */
export class AllLinks {
  readonly #database: Database;
  readonly #hits: HitCounter;
  readonly #finder: LinkFinder;

  constructor(database: Database, hits: HitCounter, finder: LinkFinder) {
    this.#database = database;
    this.#hits = hits;
    this.#finder = finder;
  }

  /** See `Administration.findLinkById`. */
  async find(id: string): Promise<Link | undefined> {
    const read = () => this.#database.read<StoredLink>(FIND, [id]);
    const [row] = await this.#hits.readWithHits(read);
    return row && this.#finder.withHits(fromLinkRow(row));
  }

  /** See `Administration.listAllLinks`. */
  async page(query: AllLinksQuery): Promise<AllLinksPage> {
    const { limit, after, host } = query;
    const passes = passesOf({ ...query, tag: null });
    const links: Link[] = [];
    let last: number | undefined;
    for await (const row of this.#rows(query, after === null ? null : numberOfPosition(after))) {
      const link = this.#finder.withHits(fromLinkRow(row));
      if (host !== null && !isWithin(hostOfUrl(link.targetUrl), host)) continue;
      if (!passes(link)) continue;
      if (links.length === limit) return { links, next: String(last) };
      links.push(link);
      last = row.number;
    }
    return { links, next: null };
  }

  #rows(query: AllLinksQuery, before: number | null): AsyncGenerator<Row> {
    // One more than a page, to know whether there are more.
    const rowsAtOnce = query.matches ? ROWS_AT_ONCE : query.limit + 1;
    const { statement, values } = conditionsOf(query, rowsAtOnce);
    // By account or by host, there is an index of what is wanted.
    const hasIndex = query.accountId !== null || query.host !== null;
    return readNewestFirst<Row>({
      before,
      numbersAtOnce: hasIndex ? Number.POSITIVE_INFINITY : NUMBERS_AT_ONCE,
      rowsAtOnce,
      lastBefore: async (number) => {
        const [row] = await this.#database.read<{ number: number | null }>(LAST, [number]);
        return row?.number ?? null;
      },
      read: (first, last) =>
        this.#hits.readWithHits(() => this.#database.read(statement, [first, last, ...values])),
    });
  }
}

/** The statement that reads links with numbers from `$1` to `$2`, and its other values. */
function conditionsOf(
  { search, host, accountId }: AllLinksQuery,
  rowsAtOnce: number,
): { statement: Statement; values: Value[] } {
  const values: Value[] = [];
  const place = (value: Value) => `$${values.push(value) + 2}`;
  const names: string[] = [];
  const conditions = [
    'id IS NOT NULL AND number BETWEEN $1 AND $2',
    'account_id NOT IN (SELECT account_id FROM accounts_to_erase)',
  ];
  if (search) {
    names.push('search');
    conditions.push(`position(${place(searchable(foldCase(search)))} IN search_text) > 0`);
  }
  if (host !== null) {
    names.push('host');
    const beginning = reversedHost(host);
    // The character after the dot: all texts that begin with the host are in between.
    const end = `${beginning.slice(0, -1)}/`;
    conditions.push(`reversed_host >= ${place(beginning)} AND reversed_host < ${place(end)}`);
  }
  if (accountId !== null) {
    names.push('account');
    conditions.push(`account_id = ${place(accountId)}`);
  }
  const text = `SELECT ${STORED_LINK}, number FROM aliases WHERE ${conditions.join(' AND ')}
    ORDER BY number DESC LIMIT ${place(rowsAtOnce)}`;
  return { statement: { name: ['list_all_links', ...names].join('_'), text }, values };
}
