import type { Client, Failure as ClientFailure } from '../../../shared/client.ts';
import type { EditRequest } from '../../../shared/links/edit-request.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import { aliasOf, newestFirst, statusOf, toShownLink } from '../../../shared/links/shown-link.ts';
import type { StatisticsReport } from '../../../shared/statistics.ts';
import type { LinkSummary, ListedLink } from '../../links/link.ts';
import { listName } from '../../links/list-name.ts';
import type { Answer, EditAnswer, LinkReference, Payload } from '../../messaging/protocol.ts';
import { hiddenLinkIds, savedLinks } from '../../storage/items.ts';
import { removeLink, replaceLink } from '../links/link-list.ts';
import { findToken, listAccounts } from '../server/tokens.ts';
import { toUnknown, updateEntry } from './merge-account.ts';

export type ManageLinks = ReturnType<typeof createManageLinks>;

type Call = { client: Client; token: string; alias: string };

/** Changes links on their servers, and then their entries in the list. */
export function createManageLinks(clientOf: (origin: string) => Client) {
  async function editLink(
    link: LinkReference,
    changes: EditRequest,
    ifMatch: string | undefined,
  ): Promise<EditAnswer> {
    const call = await callOf(link);
    if (!call) return { ok: false, code: 'token_required' };
    const { client, ...about } = call;
    const edited = await client.editLink({ ...about, ifMatch }, changes);
    if (edited.ok) {
      // A title that the user cleared must not come back as the page's.
      return { ok: true, data: await putRecord(link, edited.data, changes.title === undefined) };
    }
    if (edited.code !== 'version_mismatch') return edited;
    const current = await client.readLink(about);
    if (!current.ok) return current;
    return { ...edited, current: await putRecord(link, current.data, false) };
  }

  /** Brings the entry of a link up to date, if its server answers. */
  async function refreshLink(link: LinkReference): Promise<void> {
    const before = await findEntry(link);
    const call = before?.managed && (await callOf(link));
    if (!call) return;
    const current = await call.client.readLink(call);
    if (!current.ok) {
      if (current.code !== 'not_found') return;
      await replaceLink(link, { ...toUnknown(before), ...link });
    } else if (current.data.status === 'deleted') {
      await removeLink(link);
    } else if (isOutdated(before, current.data)) {
      await putRecord(link, current.data, false);
    }
  }

  /** Visitors get 410. The link can be restored for 30 days. */
  async function deleteLink(link: LinkReference): Promise<Answer<true>> {
    return removeAfter(link, ({ client, ...call }) => client.deleteLink(call));
  }

  async function purgeLink(link: LinkReference): Promise<Answer<true>> {
    return removeAfter(link, ({ client, ...call }) => client.purgeLink(call));
  }

  /** @param link as it was listed: some of it is stored here only */
  async function undeleteLink(link: ListedLink): Promise<Answer<ListedLink>> {
    const call = await callOf(link);
    if (!call) return { ok: false, code: 'token_required' };
    const { client, ...about } = call;
    const restored = await client.restoreLink(about);
    return restored.ok
      ? { ok: true, data: await putRecord(link, restored.data, true, link) }
      : restored;
  }

  /**
   * The deleted links of all accounts in use, as far as their servers answer. The local copy doesn't
   * have them.
   */
  async function readDeleted(): Promise<Answer<ListedLink[]>> {
    const links: ListedLink[] = [];
    const hidden = new Set(await hiddenLinkIds.read());
    let hasAnswer = false;
    let failure: ClientFailure | undefined;
    for (const { origin, hasToken } of await listAccounts()) {
      const token = hasToken && (await findToken(origin, false));
      if (!token) continue;
      const deleted = await clientOf(origin).listAllLinks(token, { status: 'deleted' });
      hasAnswer ||= deleted.ok;
      // An older server has none.
      if (!deleted.ok && deleted.code !== 'not_found') failure = deleted;
      if (!deleted.ok) continue;
      const shown = deleted.data.filter(({ id }) => !hidden.has(id));
      links.push(...shown.map((record) => toEntry(origin, record)));
    }
    return failure && !hasAnswer ? failure : { ok: true, data: links.sort(newestFirst) };
  }

  async function readStatistics({
    serverOrigin,
    shortUrl,
    query,
  }: Payload<'readStatistics'>): Promise<Answer<StatisticsReport>> {
    const token = await findToken(serverOrigin, false);
    if (!token) return { ok: false, code: 'token_required' };
    const client = clientOf(serverOrigin);
    return shortUrl === undefined
      ? client.accountStatistics(token, query)
      : client.linkStatistics(token, aliasOf({ shortUrl }), query);
  }

  async function callOf({ serverOrigin, shortUrl }: LinkReference): Promise<Call | undefined> {
    const token = await findToken(serverOrigin, false);
    if (!token) return undefined;
    return { client: clientOf(serverOrigin), token, alias: aliasOf({ shortUrl }) };
  }

  async function removeAfter(
    link: LinkReference,
    call: (about: Call) => Promise<{ ok: true } | ClientFailure>,
  ): Promise<Answer<true>> {
    const about = await callOf(link);
    if (!about) return { ok: false, code: 'token_required' };
    const done = await call(about);
    if (!done.ok) return done;
    await removeLink(link);
    return { ok: true, data: true };
  }

  return {
    editLink,
    refreshLink,
    deleteLink,
    purgeLink,
    undeleteLink,
    readDeleted,
    readStatistics,
  };
}

/**
 * Puts what a server says about a link into its entry. An entry whose target changed moves to the links
 * of its new target.
 *
 * @param removed the entry, if the list doesn't have it any more
 */
async function putRecord(
  reference: LinkReference,
  record: LinkRecord,
  keepsTitle: boolean,
  removed?: LinkSummary,
): Promise<ListedLink> {
  const { serverOrigin, requestedUrl, shortUrl } = reference;
  const before = (await findEntry(reference)) ?? removed;
  const target = before?.originalUrl === record.originalUrl ? requestedUrl : record.originalUrl;
  const link: LinkSummary = before ? updateEntry(before, record) : toShownLink(record);
  if (keepsTitle && before && !record.title) link.title = before.title;
  const entry = { ...link, serverOrigin, requestedUrl: target };
  await replaceLink({ serverOrigin, requestedUrl, shortUrl }, entry);
  return entry;
}

async function findEntry({
  serverOrigin,
  requestedUrl,
  shortUrl,
}: LinkReference): Promise<LinkSummary | undefined> {
  const links = await savedLinks.read(listName(serverOrigin, requestedUrl));
  return links.find((link) => link.shortUrl === shortUrl);
}

/** Whether a link was edited, or works for other visitors, since its entry was written. */
function isOutdated(entry: LinkSummary, { version, status }: LinkRecord): boolean {
  return entry.managed?.version !== version || statusOf(entry) !== status;
}

function toEntry(serverOrigin: string, record: LinkRecord): ListedLink {
  return { ...toShownLink(record), serverOrigin, requestedUrl: record.originalUrl };
}
