import { LIST_LIMIT_MAX } from '../limits.ts';
import type { SentBulkQuery } from './bulk.ts';
import type { LinkStatus } from './link-status.ts';

type Filter = {
  words: string;
  tag: string;
  /** A host. */
  domain?: string | undefined;
  status?: LinkStatus | undefined;
};
type Part = { cursor?: string | undefined; dryRun?: boolean | undefined };

/** The filter of a list as `GET /api/links` takes it. */
export function toListFilter({ words, tag, domain, status }: Filter) {
  return { q: words || undefined, tag: tag || undefined, domain: domain || undefined, status };
}

/** The query of `PATCH /api/links`, for all links of a filter. */
export function toBulkQuery(filter: Filter, { cursor, dryRun }: Part): SentBulkQuery {
  const sent = toListFilter(filter);
  const isEverything = Object.values(sent).every((value) => value === undefined);
  return {
    ...sent,
    all: isEverything ? 'true' : undefined,
    dryRun: dryRun ? 'true' : undefined,
    limit: LIST_LIMIT_MAX,
    cursor,
  };
}
