import type { BulkResponse, SentBulkChange, SentBulkQuery } from '../../links/bulk.ts';
import { toBulkQuery } from '../../links/bulk-request.ts';
import { toListFilter } from '../../links/list-query.ts';
import type { ChangedLinks, ChangeOptions, LinkChange, LinkSelection } from './link-source.ts';

/** Returns the body and the query of `PATCH /api/links` for a part of the selected links. */
export function toBulkCall(
  selection: LinkSelection,
  change: LinkChange,
  options: ChangeOptions = {},
): { body: SentBulkChange; query: SentBulkQuery } {
  const filter = 'query' in selection ? toListFilter(selection.query) : selection;
  return 'aliases' in filter
    ? { body: { ...change, ...filter }, query: {} }
    : { body: change, query: toBulkQuery(filter, options) };
}

export function toChangedLinks({ data, nextCursor }: BulkResponse): ChangedLinks {
  return { ...data, nextCursor: nextCursor ?? undefined };
}
