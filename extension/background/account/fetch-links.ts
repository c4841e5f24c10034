import type { Client, Failure } from '../../../shared/client.ts';
import { LIST_LIMIT_MAX } from '../../../shared/limits.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';

/** All links of an account, newest first. */
export type AccountLinks = { existing: LinkRecord[]; deleted: LinkRecord[] };

/** Reads all pages of the list. Fails as soon as one of them does. */
export async function fetchAccountLinks(
  client: Client,
  token: string,
): Promise<{ ok: true; data: AccountLinks } | Failure> {
  const existing = await fetchAll(client, token, {});
  if (!existing.ok) return existing;
  // Afterwards, so that a link that is deleted meanwhile is in at least one of them.
  const deleted = await fetchAll(client, token, { status: 'deleted' });
  if (!deleted.ok) return deleted;
  return { ok: true, data: { existing: existing.data, deleted: deleted.data } };
}

export async function fetchAll(
  client: Client,
  token: string,
  query: { status?: 'deleted' },
): Promise<{ ok: true; data: LinkRecord[] } | Failure> {
  const records: LinkRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listLinks(token, { ...query, limit: LIST_LIMIT_MAX, cursor });
    if (!page.ok) return page;
    records.push(...page.data.data);
    cursor = page.data.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return { ok: true, data: records };
}
