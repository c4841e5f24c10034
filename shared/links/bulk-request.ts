import { LIST_LIMIT_MAX } from '../limits.ts';
import type { SentBulkQuery } from './bulk.ts';
import type { LinkFilter, LinkSort } from './link-list.ts';

/** What people choose in a list, where an empty text is none. */
type ListQuery = Omit<LinkFilter, 'q'> & { words: string; sort?: LinkSort | undefined };
type Part = { cursor?: string | undefined; dryRun?: boolean | undefined };

/** Returns the filter of a list as `GET /api/links` takes it. */
export function toListFilter({ words, sort: _, ...others }: ListQuery): LinkFilter {
  const filter = Object.entries({ q: words, ...others });
  return Object.fromEntries(filter.filter(([, value]) => value));
}

/** Returns the query of `PATCH /api/links`, for all links of a filter. */
export function toBulkQuery(
  filter: LinkFilter & { words?: never },
  { cursor, dryRun }: Part,
): SentBulkQuery {
  return {
    ...filter,
    all: Object.values(filter).some(Boolean) ? undefined : true,
    dryRun: dryRun || undefined,
    limit: LIST_LIMIT_MAX,
    cursor,
  };
}
