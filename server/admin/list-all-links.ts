import {
  type AdminLink,
  type AdminLinkCountQuery,
  type AdminLinkListQuery,
  adminLinkSchema,
} from '../../shared/admin/links.ts';
import { COUNTED_LINKS_MAX, LIST_LIMIT_DEFAULT } from '../../shared/limits.ts';
import { ADMINISTRATORS_FIELDS } from '../../shared/links/fields.ts';
import type { Service } from '../dependencies.ts';
import { parseHost } from '../lib/host-name.ts';
import { isOutdated } from '../links/manage/own-link.ts';
import { toLinkRecord } from '../links/to-link-record.ts';
import type { AllLinksPage, AllLinksQuery } from '../store/administration.ts';
import type { Link } from '../store/link.ts';
import { linkStatus } from '../store/link-status.ts';
import { haveAllWords, searchedTexts, searchWords } from '../store/records/searched-texts.ts';
import { invalidHost } from './blocks.ts';
import { readPage, toCursor } from './cursor.ts';

const COUNTED_TOGETHER = 1000;

const SHOWN = Object.keys(adminLinkSchema.shape) as (keyof AdminLink)[];

/**
 * A page of the links of all accounts.
 *
 * @throws ServiceError `invalid_request`
 */
export async function listAllLinks(
  { limit = LIST_LIMIT_DEFAULT, cursor, ...filter }: AdminLinkListQuery,
  service: Service,
): Promise<{ data: AdminLink[]; nextCursor: string | null }> {
  const now = service.clock();
  const query = toStoreQuery(filter, service, now);
  const { links, next } = await readPage(cursor, (after) =>
    service.store.administration.listAllLinks({ ...query, limit, after }),
  );
  const data = links.map((link) => toAdminLink(link, service, now));
  return { data, nextCursor: toCursor(next) };
}

/**
 * How many links there are: what a block would affect.
 *
 * @throws ServiceError `invalid_request`
 */
export async function countAllLinks(
  filter: AdminLinkCountQuery,
  service: Service,
): Promise<{ count: number; isComplete: boolean }> {
  const query = toStoreQuery(filter, service, service.clock());
  let count = 0;
  let after: string | null = null;
  do {
    const page: AllLinksPage = await service.store.administration.listAllLinks({
      ...query,
      limit: Math.min(COUNTED_TOGETHER, COUNTED_LINKS_MAX - count),
      after,
    });
    count += page.links.length;
    after = page.next;
  } while (after !== null && count < COUNTED_LINKS_MAX);
  return { count, isComplete: after === null };
}

/** @throws ServiceError `invalid_request` */
function toStoreQuery(
  { q, host, accountId, status }: AdminLinkCountQuery,
  service: Service,
  now: number,
): Omit<AllLinksQuery, 'limit' | 'after'> {
  const parsedHost = host === undefined ? null : parseHost(host);
  if (parsedHost === undefined) throw invalidHost('host');
  const words = searchWords(q ?? null);
  const matches = (link: Link) => {
    if (isOutdated(link, now)) return false;
    // The store also looks in what administrators must not see.
    if (!haveAllWords(searchedTexts(link, ADMINISTRATORS_FIELDS), words)) return false;
    const actual = linkStatus(link, now, service.blocks);
    return status === undefined ? actual !== 'deleted' : actual === status;
  };
  return { search: q || null, host: parsedHost, accountId: accountId ?? null, matches };
}

/** A link as the administrator sees it. */
export function toAdminLink(link: Link, service: Service, now: number): AdminLink {
  const record = { ...toLinkRecord(link, service, '', now), accountId: link.accountId };
  return Object.fromEntries(SHOWN.map((name) => [name, record[name]])) as AdminLink;
}
