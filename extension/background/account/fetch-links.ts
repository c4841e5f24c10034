import type { Client, Failure } from '../../../shared/client.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';

/** All links of an account, newest first. */
export type AccountLinks = { existing: LinkRecord[]; deleted: LinkRecord[] };

/** Reads all pages of the list. Fails as soon as one of them does. */
export async function fetchAccountLinks(
  client: Client,
  token: string,
): Promise<{ ok: true; data: AccountLinks } | Failure> {
  const existing = await client.listAllLinks(token);
  if (!existing.ok) return existing;
  // Afterwards, so that a link that is deleted meanwhile is in at least one of them.
  const deleted = await client.listAllLinks(token, { status: 'deleted' });
  if (!deleted.ok) return deleted;
  return { ok: true, data: { existing: existing.data, deleted: deleted.data } };
}
