import type { LinkCall } from '../../client/link-methods.ts';
import type { Client, Result } from '../../client.ts';
import { toBulkQuery, toListFilter } from '../../links/bulk-request.ts';
import type { EditRequest } from '../../links/edit-request.ts';
import type { LinkRecord } from '../../links/link-record.ts';
import type { ChangedLinks, ChangeOptions, LinkChange, LinkSelection } from './link-source.ts';

/** `F` is a failure of the API, and of the caller itself, such as not to have a token. */
type Answer<T, F> = { ok: true; data: T } | F;
type Failed = { ok: false; code: string };

/** Changes a part of the selected links. */
export async function changeSelected<F extends Failed>(
  call: <T>(run: (client: Client, token: string) => Promise<Result<T>>) => Promise<Answer<T, F>>,
  selection: LinkSelection,
  change: LinkChange,
  options: ChangeOptions = {},
): Promise<Answer<ChangedLinks, F>> {
  const filter = 'query' in selection ? toListFilter(selection.query) : selection;
  const [body, query] =
    'aliases' in filter ? [{ ...change, ...filter }, {}] : [change, toBulkQuery(filter, options)];
  const changed = await call((client, token) => client.changeLinks(token, body, query));
  if (!changed.ok) return changed;
  const { data, nextCursor } = changed.data;
  return { ok: true, data: { ...data, nextCursor: nextCursor ?? undefined } };
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
