import type { Link, LinkPage, LinkPosition, LinkQuery } from '../../link.ts';
import { foldCase } from '../../records/fold-case.ts';
import { foldedTags, searchedTexts } from '../../records/searched-texts.ts';
import type { DeletedAccounts } from '../changes/deleted-accounts.ts';
import type { Database } from '../database/database.ts';
import type { Statement } from '../database/statement.ts';
import type { HitCounter } from './hit-counter.ts';
import type { LinkFinder } from './link-finder.ts';
import { fromLinkRow, STORED_LINK, type StoredLink, searchable } from './link-row.ts';

/** Links that are read at once for a condition that only this process can check. */
const CHUNK = 500;

const FIRST = `SELECT ${STORED_LINK} FROM aliases WHERE account_id = $1 AND id IS NOT NULL`;
const CONDITIONS = {
  after: (first: number) => `AND (created, id) < ($${first}, $${first + 1})`,
  search: (first: number) => `AND position($${first} IN search_text) > 0`,
  tag: (first: number) => `AND $${first} = ANY (tags)`,
};
const LAST = (limit: number) => `ORDER BY created DESC, id DESC LIMIT $${limit}`;

/** Lists the links of accounts. */
export class LinkLists {
  readonly #database: Database;
  readonly #hits: HitCounter;
  readonly #finder: LinkFinder;
  readonly #deleted: DeletedAccounts;

  constructor(database: Database, deleted: DeletedAccounts, hits: HitCounter, finder: LinkFinder) {
    this.#database = database;
    this.#deleted = deleted;
    this.#hits = hits;
    this.#finder = finder;
  }

  /** See `Store.listLinks`. */
  async page(query: LinkQuery): Promise<LinkPage> {
    const { limit, matches } = query;
    if (this.#deleted.has(query.accountId)) return { links: [], hasMore: false };
    const passes = passesOf(query);
    // One more, to know whether there are more.
    const chunk = matches ? CHUNK : limit + 1;
    const links: Link[] = [];
    let after = query.after;
    for (;;) {
      const found = await this.#hits.readWithHits(() => this.#read(query, after, chunk));
      for (const row of found) {
        const link = this.#finder.withHits(fromLinkRow(row));
        if (!passes(link)) continue;
        if (links.length === limit) return { links, hasMore: true };
        links.push(link);
      }
      if (found.length < chunk) return { links, hasMore: false };
      after = positionOf(found.at(-1) as StoredLink);
    }
  }

  #read(
    { accountId, search, tag }: LinkQuery,
    after: LinkPosition | null,
    limit: number,
  ): Promise<StoredLink[]> {
    const values: (string | number)[] = [accountId];
    const parts = [FIRST];
    const names: string[] = [];
    const add = (name: keyof typeof CONDITIONS, ...more: (string | number)[]) => {
      parts.push(CONDITIONS[name](values.length + 1));
      values.push(...more);
      names.push(name);
    };
    if (after) add('after', after.created, after.id);
    if (search) add('search', searchable(foldCase(search)));
    if (tag !== null) add('tag', searchable(foldCase(tag)));
    parts.push(LAST(values.length + 1));
    values.push(limit);
    const statement: Statement = {
      name: ['list_links', ...names].join('_'),
      text: parts.join(' '),
    };
    return this.#database.read<StoredLink>(statement, values);
  }
}

function positionOf({ id, link }: StoredLink): LinkPosition {
  return { id, created: link.created };
}

/** The conditions once more: in the database, a search may go beyond the end of a text. */
export function passesOf({
  search,
  tag,
  matches,
}: Pick<LinkQuery, 'search' | 'tag' | 'matches'>): (link: Link) => boolean {
  const text = search ? foldCase(search) : undefined;
  const foldedTag = tag === null ? undefined : foldCase(tag);
  return (link) =>
    (text === undefined || searchedTexts(link).some((each) => each.includes(text))) &&
    (foldedTag === undefined || foldedTags(link).includes(foldedTag)) &&
    (matches?.(link) ?? true);
}
