import type { LinkCall } from '../../client/link-methods.ts';
import type { Client, Result } from '../../client.ts';
import type { BulkResponse, SentBulkChange, SentBulkQuery } from '../../links/bulk.ts';
import { toBulkQuery } from '../../links/bulk-request.ts';
import type { EditRequest } from '../../links/edit-request.ts';
import type { LinkRecord } from '../../links/link-record.ts';
import { toListFilter } from '../../links/list-query.ts';
import type { ChangedLinks, ChangeOptions, LinkChange, LinkSelection } from './link-source.ts';

/** `F` is a failure of the API, and of the caller itself, such as not to have a token. */
type Answer<T, F> = { ok: true; data: T } | F;
type Failed = { ok: false; code: string };

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

/** Changes a part of the selected links. */
export async function changeSelected<F extends Failed>(
  call: <T>(run: (client: Client, token: string) => Promise<Result<T>>) => Promise<Answer<T, F>>,
  ...what: Parameters<typeof toBulkCall>
): Promise<Answer<ChangedLinks, F>> {
  const { body, query } = toBulkCall(...what);
  const changed = await call((client, token) => client.changeLinks(token, body, query));
  return changed.ok ? { ok: true, data: toChangedLinks(changed.data) } : changed;
}

/**
 * Edits a link.
 *
 * @param ifMatch the `etag` that the link must still have
 * @returns after `version_mismatch` also the link as it is now
 */
export async function editOrRead<F extends Failed>(
  call: <T>(run: (client: Client, link: LinkCall) => Promise<Result<T>>) => Promise<Answer<T, F>>,
  changes: EditRequest,
  ifMatch: string | undefined,
): Promise<Answer<LinkRecord, F & { current?: LinkRecord }>> {
  const edited = await call((client, link) => client.editLink({ ...link, ifMatch }, changes));
  if (edited.ok || edited.code !== 'version_mismatch') return edited;
  const current = await call((client, link) => client.getLink(link));
  return current.ok ? { ...edited, current: current.data } : current;
}
