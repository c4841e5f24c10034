import type { LinkTotal } from '../../../../shared/links/link-list.ts';
import type { TagCount } from '../../../../shared/links/tags.ts';
import { Places } from '../../../lib/places.ts';
import { busy } from '../../../lib/service-error.ts';
import type { AllLinksPage, AllLinksQuery } from '../../administration.ts';
import type { LinkPage, LinkPosition, LinkQuery } from '../../link.ts';
import { linkBytes } from '../../link-size.ts';
import { linkFilter } from '../../records/link-filter.ts';
import { PAGE_MAX_BYTES, type Place, toPage, upTo } from '../../records/link-page.ts';
import { formatPosition, parsePosition } from '../../records/link-position.ts';
import type { Database } from '../database/database.ts';
import { fromLinkRow, type StoredLink } from './link-row.ts';
import {
  type Conditions,
  countLinks,
  isCheckedHere,
  NEWEST,
  selectNewest,
  selectSorted,
} from './list-statements.ts';

/** Lists and searches of one account at a time, so that it leaves connections to others. */
const LISTS_OF_ACCOUNT = 2;
/** How long others of the account wait for them. */
const WAIT_MS = 2000;
/** Links that one statement looks at, so that none takes long however few it finds. */
const LINKS_AT_ONCE = 50_000;
/** Links that are read at once for a condition that only this process can check. */
const ROWS_AT_ONCE = 500;

const LAST_OF_PART = `SELECT created, id FROM links WHERE (created, id) < ($1, $2)
    ORDER BY created DESC, id DESC OFFSET ${LINKS_AT_ONCE - 1} LIMIT 1`;

/** As `mostUsedTags`. With `unnest` as a table it takes twice as long. */
const MOST_USED_TAGS = `SELECT max(name COLLATE "C") AS tag, count(*) FROM (
      SELECT unnest(tags) AS folded, unnest(tag_names) AS name FROM links
      WHERE account_id = $1 AND deleted_at IS NULL
    ) AS tagged
    WHERE NOT EXISTS (SELECT FROM accounts_to_erase WHERE account_id = $1)
    GROUP BY folded COLLATE "C" ORDER BY count(*) DESC, folded COLLATE "C" LIMIT $2`;

type Query = Omit<LinkQuery, 'accountId'> & Conditions;
type ListedRow = StoredLink & {
  key?: number | string;
  /** Of the links up to here. */
  bytes: number;
};

/** Pages of links. */
export class LinkLists {
  readonly #database: Database;
  readonly #ofAccounts = new Map<string, Places>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** See `Store.listLinks`. */
  page(query: LinkQuery): Promise<LinkPage> {
    return this.#inTurn(query.accountId, () => this.#page(query));
  }

  async #page(query: LinkQuery): Promise<LinkPage> {
    const { after, limit, countUpTo } = query;
    const [places, total] = await Promise.all([
      this.#find(query, limit + 1),
      after === null && countUpTo !== undefined ? this.#count(query, countUpTo) : undefined,
    ]);
    return { ...toPage(places, limit), ...(total && { total }) };
  }

  /** See `Administration.listAllLinks`. */
  async pageOfAll(query: AllLinksQuery): Promise<AllLinksPage> {
    const { limit } = query;
    const all = { ...query, after: parsePosition(query.after) };
    const { links, next } = toPage(await this.#find(all, limit + 1), limit);
    return { links, next: next && formatPosition(next) };
  }

  /** See `Store.countTags`. */
  tags(accountId: string, limit: number): Promise<TagCount[]> {
    return this.#inTurn(accountId, () =>
      this.#database.readList<TagCount>(MOST_USED_TAGS, [accountId, limit]),
    );
  }

  /** @throws ServiceError `busy` if others of the account take too long */
  async #inTurn<T>(accountId: string, list: () => Promise<T>): Promise<T> {
    const places = this.#ofAccounts.get(accountId) ?? new Places(LISTS_OF_ACCOUNT);
    this.#ofAccounts.set(accountId, places);
    try {
      return await places.use(WAIT_MS, list, () => {
        throw busy('Other lists of this account are being read. Try again shortly.');
      });
    } finally {
      if (places.isIdle) this.#ofAccounts.delete(accountId);
    }
  }

  async #find(query: Query, count: number): Promise<Place[]> {
    const places: Place[] = [];
    let bytes = 0;
    for await (const place of this.#places(query, isCheckedHere(query) ? ROWS_AT_ONCE : count)) {
      // The page is full, and this link shows that there are more.
      if (places.push(place) === count || bytes >= PAGE_MAX_BYTES) break;
      bytes += linkBytes(place.link);
    }
    return places;
  }

  async #count(query: Query, max: number): Promise<LinkTotal> {
    const enough = Math.min(max + 1, Number.MAX_SAFE_INTEGER);
    if (isCheckedHere(query)) {
      let found = 0;
      for await (const _ of this.#places({ ...query, sort: 'created' }, ROWS_AT_ONCE)) {
        if (++found === enough) break;
      }
      return upTo(max, found);
    }
    const { statement, values } = countLinks(query, enough);
    const [row] = await this.#database.readList<{ count: number }>(statement, values);
    return upTo(max, row?.count ?? 0);
  }

  async *#places(query: Query, rowsAtOnce: number): AsyncGenerator<Place> {
    const passes = linkFilter(query);
    for await (const row of this.#rows(query, rowsAtOnce)) {
      const link = fromLinkRow(row);
      // The conditions once more, for those that only this process can check.
      if (passes(link)) yield { ...toPosition(row), link };
    }
  }

  async *#rows(query: Query, limit: number): AsyncGenerator<ListedRow> {
    const { sort = 'created' } = query;
    // By account or by host, there is an index of what is wanted.
    const hasIndex = query.accountId !== null || Boolean(query.host);
    let position = query.after;
    for (;;) {
      const last = hasIndex ? undefined : await this.#lastOfPart(position);
      const { statement, values } =
        sort === 'created'
          ? selectNewest(query, { before: position, ...(last && { last }), limit })
          : selectSorted(sort, query, { after: position, limit });
      const rows = await this.#database.readList<ListedRow>(statement, values);
      yield* rows;
      const lastRow = rows.at(-1);
      const isCut = lastRow && (rows.length === limit || lastRow.bytes >= PAGE_MAX_BYTES);
      if (isCut) position = toPosition(lastRow);
      else if (last) position = last;
      else return;
    }
  }

  async #lastOfPart(before: LinkPosition | null): Promise<LinkPosition | undefined> {
    const { created, id } = before ?? NEWEST;
    const [row] = await this.#database.readList<LinkPosition>(LAST_OF_PART, [created, id]);
    return row;
  }
}

function toPosition({ id, link, key }: ListedRow): LinkPosition {
  return { created: link.created, id, ...(key !== undefined && { key }) };
}
