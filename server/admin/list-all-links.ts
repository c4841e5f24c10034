import {
  type AdminLink,
  type AdminLinkListQuery,
  adminLinkSchema,
} from '../../shared/admin/links.ts';
import { LIST_LIMIT_DEFAULT } from '../../shared/limits.ts';
import { ADMINISTRATORS_FIELDS } from '../../shared/links/fields.ts';
import type { Service } from '../dependencies.ts';
import { parseHost } from '../lib/host-name.ts';
import { linkStatus } from '../links/link-status.ts';
import { isOutdated } from '../links/manage/own-link.ts';
import { toLinkRecord } from '../links/to-link-record.ts';
import type { Link } from '../store/link.ts';
import { foldCase } from '../store/records/fold-case.ts';
import { searchedTexts } from '../store/records/searched-texts.ts';
import { invalidHost } from './blocks.ts';
import { readPage, toCursor } from './cursor.ts';

const SHOWN = Object.keys(adminLinkSchema.shape) as (keyof AdminLink)[];

/**
 * A page of the links of all accounts.
 *
 * @throws ServiceError `invalid_request`
 */
export async function listAllLinks(
  { limit = LIST_LIMIT_DEFAULT, cursor, q, host, accountId, status }: AdminLinkListQuery,
  service: Service,
): Promise<{ data: AdminLink[]; nextCursor: string | null }> {
  const now = service.clock();
  const parsedHost = host === undefined ? null : parseHost(host);
  if (parsedHost === undefined) throw invalidHost('host');
  const words = foldCase(q ?? '');
  const matches = (link: Link) => {
    if (isOutdated(link, now)) return false;
    // The store also looks in what administrators must not see.
    if (words && !searchedTexts(link, ADMINISTRATORS_FIELDS).some((text) => text.includes(words))) {
      return false;
    }
    const actual = linkStatus(link, now, service.blocks);
    return status === undefined ? actual !== 'deleted' : actual === status;
  };
  const { links, next } = await readPage(cursor, (after) =>
    service.store.administration.listAllLinks({
      limit,
      after,
      search: q || null,
      host: parsedHost,
      accountId: accountId ?? null,
      matches,
    }),
  );
  const data = links.map((link) => toAdminLink(link, service, now));
  return { data, nextCursor: toCursor(next) };
}

function toAdminLink(link: Link, service: Service, now: number): AdminLink {
  const record = { ...toLinkRecord(link, service, '', now), accountId: link.accountId };
  return Object.fromEntries(SHOWN.map((name) => [name, record[name]])) as AdminLink;
}
