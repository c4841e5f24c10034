import { LIST_LIMIT_MAX } from '../../../shared/bounds.ts';
import type { Client } from '../../../shared/client.ts';
import { hostOf } from '../../../shared/links/link-address.ts';
import type { LinkTotal } from '../../../shared/links/link-list.ts';
import {
  chosenIn,
  EVERYTHING,
  type FilterName,
  toListFilter,
} from '../../../shared/links/list-query.ts';
import { eachFilterField } from '../../../shared/links/plain-fields.ts';
import type { TagCount } from '../../../shared/links/tags.ts';
import { foldTag } from '../../../shared/text.ts';
import type { SavedLink } from '../../links/link.ts';
import { makeSearchable, searchLinks } from '../../links/link-search.ts';
import type { ListPageOrSaved, Payload, Result } from '../../messaging/protocol.ts';
import type { IsObsolete } from '../../storage/define-item.ts';
import { verifyServer } from '../account/servers.ts';
import { findToken, startCall } from '../account/tokens.ts';
import { linksOf, toEntry, updateSavedLinks, watchChanges } from '../data/saved-links.ts';
import { readSettings } from '../data/settings.ts';
import { hasPrivateLinks, leaveOutPrivate } from '../queue/private-links.ts';

type Query = Payload<'readLinks'>;
export type ReadLinks = ReturnType<typeof createReadLinks>;

/** Reads links from their server, and saves the newest ones. */
export function createReadLinks(clientOf: (origin: string) => Client) {
  /** A page of the account's links. While the server is away, the saved ones and the reason. */
  async function readLinks(payload: Query): Promise<Result<ListPageOrSaved>> {
    const page = await readPage(payload);
    if (page.ok) {
      const { nextCursor } = page.data;
      const isFirst = payload.cursor === undefined && isEverything(payload.query);
      if (isFirst && nextCursor) void readPage({ ...payload, cursor: nextCursor });
      return page;
    }
    const saved = searchSaved(await linksOf(payload.serverOrigin), payload.query);
    const hasNone = payload.cursor !== undefined || payload.query.status === 'deleted';
    const data = { links: saved, total: { count: saved.length, isExact: true } };
    if (page.code === 'token_required') return { ok: true, data };
    return hasNone ? page : { ok: true, data: { ...data, failure: page } };
  }

  async function readPage({
    serverOrigin,
    query,
    cursor,
  }: Query): Promise<Result<ListPageOrSaved>> {
    const { token, isObsolete } = await startCall(serverOrigin);
    if (!token) return { ok: false, code: 'token_required' };
    const client = clientOf(serverOrigin);
    const verified = await verifyServer(serverOrigin, clientOf);
    if (!verified.ok) return verified;
    const { changed, stop } = watchChanges();
    try {
      const page = await client.listLinks({
        token,
        ...toListFilter(query),
        sort: query.sort,
        include: 'visits30',
        cursor,
        limit: LIST_LIMIT_MAX,
      });
      if (!page.ok) return page;
      const { total, data } = page.data;
      const { records, elsewhere } = await leaveOutPrivate(serverOrigin, data);
      const saved = new Map((await linksOf(serverOrigin)).map((link) => [link.id, link]));
      // Visits are not saved: they would be old when they are read.
      const links = records.map(({ visits30: _, ...record }) =>
        toEntry(serverOrigin, record, saved.get(record.id)),
      );
      const nextCursor = page.data.nextCursor ?? undefined;
      if (isEverything(query)) {
        await savePage(serverOrigin, links, { changed, cursor, nextCursor }, isObsolete);
      }
      const shown = links.map((link, index) => ({ ...link, visits30: records[index]?.visits30 }));
      const left = {
        here: data.length - records.length,
        elsewhere: nextCursor === undefined ? 0 : elsewhere,
      };
      return { ok: true, data: { links: shown, nextCursor, total: total && without(total, left) } };
    } finally {
      stop();
    }
  }

  /** The tags of the account's links; of the saved ones, if the server knows private ones, too. */
  async function readTags(serverOrigin?: string): Promise<Result<TagCount[]>> {
    if (serverOrigin && !(await hasPrivateLinks(serverOrigin))) {
      const token = await findToken(serverOrigin, false);
      const tags = token ? await clientOf(serverOrigin).listTags({ token }) : undefined;
      if (tags?.ok) return tags;
    }
    const saved = await linksOf(serverOrigin ?? (await readSettings()).serverOrigin);
    const counts = new Map<string, number>();
    for (const tag of saved.flatMap((link) => link.tags)) {
      counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
    const data = [...counts].map(([tag, count]) => ({ tag, count }));
    return { ok: true, data: data.sort((one, other) => other.count - one.count) };
  }

  /** Saves the newest links of an account that has just come into use. */
  async function saveNewest(serverOrigin: string): Promise<void> {
    await readLinks({ serverOrigin, query: EVERYTHING });
  }

  return { readLinks, readTags, saveNewest };
}

/** A total without the links that are left out. Those of other pages may match the filter or not. */
function without(
  { count, isExact }: LinkTotal,
  left: { here: number; elsewhere: number },
): LinkTotal {
  if (left.elsewhere === 0) return { count: count - left.here, isExact };
  return { count: Math.max(0, count - left.here - left.elsewhere - 1), isExact: false };
}

type PageBounds = {
  /** Short URLs of entries that are newer than the page. They stay as they are. */
  changed: ReadonlySet<string>;
  cursor: string | undefined;
  nextCursor: string | undefined;
};

/**
 * A page has all links between its first and its last one: other entries were deleted elsewhere. Those of
 * the same time as its first or last one may be on the next page.
 */
async function savePage(
  origin: string,
  page: SavedLink[],
  { changed, cursor, nextCursor }: PageBounds,
  isObsolete: IsObsolete,
): Promise<void> {
  const newest = cursor ? createdMs(page.at(0)) : Number.POSITIVE_INFINITY;
  const oldest = nextCursor ? createdMs(page.at(-1)) : Number.NEGATIVE_INFINITY;
  const isCovered = (link: SavedLink) =>
    createdMs(link) < newest && createdMs(link) > oldest && !changed.has(link.shortUrl);
  const fresh = page.filter(({ shortUrl }) => !changed.has(shortUrl));
  const ids = new Set(fresh.map(({ id }) => id));
  await updateSavedLinks(
    origin,
    (links) => [...links.filter((link) => !isCovered(link) && !ids.has(link.id)), ...fresh],
    isObsolete,
  );
}

function createdMs(link: SavedLink | undefined): number {
  return link ? Date.parse(link.created) : Number.NaN;
}

function isEverything(query: Query['query']): boolean {
  return chosenIn(query).length === 0;
}

/** As the server does it, as far as the saved links go. One that is not here does not compile. */
const FILTERS: {
  [K in FilterName]: (value: NonNullable<Query['query'][K]>, link: SavedLink) => unknown;
} = {
  tag: (tag, link) => link.tags?.some((one) => foldTag(one) === foldTag(tag)),
  domain: (domain, link) => hostOf(link) === domain,
  status: (status, link) => effectiveStatus(link) === status,
  ...eachFilterField((name) => (value: unknown, link: SavedLink) => link[name] === value),
};

function searchSaved(links: SavedLink[], query: Query['query']): SavedLink[] {
  let matching = links;
  for (const name of Object.keys(FILTERS) as FilterName[]) {
    const value = query[name];
    if (value !== undefined && value !== '')
      matching = matching.filter((link) => FILTERS[name](value as never, link));
  }
  return searchLinks(matching.map(makeSearchable), query.q ?? '');
}

/** A link may have expired since it was saved. */
function effectiveStatus(link: SavedLink) {
  const hasExpired = link.expiresAt !== null && Date.parse(link.expiresAt) <= Date.now();
  return link.status === 'active' && hasExpired ? 'expired' : link.status;
}
