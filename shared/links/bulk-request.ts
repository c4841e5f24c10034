import { LIST_LIMIT_MAX } from '../bounds.ts';
import type { SentBulkQuery } from './bulk.ts';
import type { LinkFilter } from './link-list.ts';

type Part = { cursor?: string | undefined; dryRun?: boolean | undefined };

/** Returns the query of `PATCH /api/links`, for all links of a filter. */
export function toBulkQuery(filter: LinkFilter, { cursor, dryRun }: Part): SentBulkQuery {
  return {
    ...filter,
    all: Object.values(filter).some(Boolean) ? undefined : true,
    dryRun: dryRun || undefined,
    limit: LIST_LIMIT_MAX,
    cursor,
  };
}
