import type { Client, Failure as ClientFailure, Result } from '../../../shared/client.ts';
import { toBulkQuery, toListFilter } from '../../../shared/links/bulk-request.ts';
import type { EditRequest } from '../../../shared/links/edit-request.ts';
import { hasValues } from '../../../shared/links/has-values.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import { addressOf, aliasOf, statusOf } from '../../../shared/links/shown-link.ts';
import type { ImportReport } from '../../../shared/links/transfer.ts';
import type { StatisticsReport } from '../../../shared/statistics.ts';
import type { ChangedLinks } from '../../../shared/ui/links/link-source.ts';
import type { ListedLink } from '../../links/link.ts';
import type { Answer, EditAnswer, LinkReference, Payload } from '../../messaging/protocol.ts';
import type { IsObsolete } from '../../storage/define-item.ts';
import {
  expectMoreLinks,
  findLink,
  linksOf,
  removeLink,
  replaceLink,
  toEntry,
  toLinkSummary,
} from '../links/saved-links.ts';
import { findToken, startCall } from '../server/tokens.ts';
import { verifyServer } from '../server/verify-server.ts';
import { hasPrivateLinks, leaveOutPrivate } from './leave-out-private.ts';

export type ManageLinks = ReturnType<typeof createManageLinks>;

type Call = { client: Client; token: string; alias: string };

/** Changes links on their servers, and then the saved ones. */
export function createManageLinks(clientOf: (origin: string) => Client) {
  /** Calls a server with the token in use. */
  async function withToken<T>(
    serverOrigin: string,
    call: (client: Client, token: string) => Promise<Result<T>>,
  ): Promise<Answer<T>> {
    const token = await findToken(serverOrigin, false);
    return token ? call(clientOf(serverOrigin), token) : { ok: false, code: 'token_required' };
  }

  async function withLink<T>(
    link: LinkReference,
    call: (about: Call) => Promise<Result<T>>,
  ): Promise<Answer<T>> {
    const callWith = (shortUrl: string) =>
      withToken(link.serverOrigin, (client, token) =>
        call({ client, token, alias: addressOf({ shortUrl }) }),
      );
    const done = await callWith(link.shortUrl);
    if (done.ok || done.code !== 'invalid_domain') return done;
    const current = await findShortUrl(link);
    return current === undefined || current === link.shortUrl ? done : callWith(current);
  }

  /** The short URL of a saved link on a server whose own domain is another one by now. */
  async function findShortUrl(link: LinkReference): Promise<string | undefined> {
    const id = (await findLink(link))?.serverState?.id;
    const found = await withToken(link.serverOrigin, (client, token) =>
      client.listLinks(token, { q: aliasOf(link) }),
    );
    return found.ok ? found.data.data.find((record) => record.id === id)?.shortUrl : undefined;
  }

  async function editLink(
    link: LinkReference,
    changes: EditRequest,
    ifMatch: string | undefined,
  ): Promise<EditAnswer> {
    const { isObsolete } = await startCall(link.serverOrigin);
    const edited = await withLink(link, ({ client, ...about }) =>
      client.editLink({ ...about, ifMatch }, changes),
    );
    // A title that the user cleared must not come back as the page's.
    const saved = { keepsTitle: changes.title === undefined, isObsolete };
    if (edited.ok) return { ok: true, data: await putRecord(link, edited.data, saved) };
    if (edited.code !== 'version_mismatch') return edited;
    const current = await withLink(link, ({ client, ...about }) => client.readLink(about));
    if (!current.ok) return current;
    // A page repeats its message if the worker stopped, which may have sent the edit before.
    if (hasValues(current.data, changes)) {
      return { ok: true, data: await putRecord(link, current.data, saved) };
    }
    const known = { keepsTitle: false, isObsolete };
    return { ...edited, current: await putRecord(link, current.data, known) };
  }

  /** The saved links are brought up to date when the list is read again. */
  async function changeLinks({
    serverOrigin,
    selection,
    change,
    options,
  }: Payload<'changeLinks'>): Promise<Answer<ChangedLinks>> {
    const [body, query] =
      'aliases' in selection
        ? [{ ...change, ...selection }, {}]
        : [change, toBulkQuery(toListFilter(selection.query), options)];
    const changed = await withToken(serverOrigin, (client, token) =>
      client.changeLinks(token, body, query),
    );
    const isRestored = change.isDeleted === false;
    if (isRestored) await expectMoreLinks(serverOrigin);
    if (!changed.ok) return changed;
    const { data, nextCursor } = changed.data;
    return { ok: true, data: { ...data, nextCursor: nextCursor ?? undefined } };
  }

  /** Brings a saved link up to date, if its server answers. */
  async function refreshLink(link: LinkReference): Promise<void> {
    const { isObsolete } = await startCall(link.serverOrigin);
    const before = await findLink(link);
    if (!before) return;
    const current = await withLink(link, ({ client, ...about }) => client.readLink(about));
    if (!current.ok) {
      if (current.code === 'not_found') await removeLink(link);
    } else if (current.data.status === 'deleted') {
      await removeLink(link);
    } else if (isOutdated(before, current.data)) {
      await putRecord(link, current.data, { keepsTitle: false, isObsolete });
    }
  }

  /** The links of a URL that work, newest first, as their server knows them. None if it doesn't answer. */
  async function findLinksOnServer(
    serverOrigin: string,
    originalUrl: string,
    domain?: string | undefined,
  ) {
    const token = await findToken(serverOrigin, false);
    const client = clientOf(serverOrigin);
    if (!token || !(await verifyServer(serverOrigin, client)).ok) return [];
    const found = await client.listLinks(token, { originalUrl, domain, status: 'active' });
    if (!found.ok) return [];
    const { records } = await leaveOutPrivate(serverOrigin, found.data.data);
    return records.map((record) => toLinkSummary(record));
  }

  /** Visitors get 410. The link can be restored for 30 days. */
  function deleteLink(link: LinkReference): Promise<Answer<true>> {
    return removeAfter(link, ({ client, ...about }) => client.deleteLink(about));
  }

  function purgeLink(link: LinkReference): Promise<Answer<true>> {
    return removeAfter(link, ({ client, ...about }) => client.purgeLink(about));
  }

  async function removeAfter(
    link: LinkReference,
    call: (about: Call) => Promise<{ ok: true; data: unknown } | ClientFailure>,
  ): Promise<Answer<true>> {
    const done = await withLink(link, call);
    if (!done.ok) return done;
    await removeLink(link);
    return { ok: true, data: true };
  }

  /** @param link as it was listed: some of it is known here only */
  async function restoreLink(link: ListedLink): Promise<Answer<ListedLink>> {
    const { isObsolete } = await startCall(link.serverOrigin);
    const restored = await withLink(link, ({ client, ...about }) => client.restoreLink(about));
    if (!restored.ok) return restored;
    const known = { keepsTitle: true, isObsolete, removed: link };
    return { ok: true, data: await putRecord(link, restored.data, known) };
  }

  async function readStatistics({
    serverOrigin,
    shortUrl,
    query,
  }: Payload<'readStatistics'>): Promise<Answer<StatisticsReport>> {
    if (shortUrl !== undefined) {
      return withLink({ serverOrigin, shortUrl }, ({ client, token, alias }) =>
        client.linkStatistics(token, alias, query),
      );
    }
    const report = await withToken(serverOrigin, (client, token) =>
      client.accountStatistics(token, query),
    );
    if (!report.ok || !(await hasPrivateLinks(serverOrigin))) return report;
    // Without IDs, private links can't be told from others. Saved links are never private.
    const saved = new Set((await linksOf(serverOrigin)).map((link) => link.shortUrl));
    const topLinks = report.data.topLinks.filter((link) => saved.has(link.shortUrl));
    const data = { ...report.data, topLinks };
    return { ok: true, data };
  }

  /** All links of the account, as a file. */
  async function exportLinks({
    serverOrigin,
    format,
  }: Payload<'exportLinks'>): Promise<Answer<string>> {
    const file = await withToken(serverOrigin, (client, token) =>
      client.exportLinks(token, { format, secrets: false }),
    );
    if (!file.ok) return file;
    // Spreadsheets need a table's byte order mark, which `text()` leaves out.
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    return { ok: true, data: decoder.decode(await file.data.arrayBuffer()) };
  }

  /** Adds the links of a file to the account. Those that it has stay as they are. */
  async function importLinks({
    serverOrigin,
    file,
  }: Payload<'importLinks'>): Promise<Answer<ImportReport>> {
    const imported = await withToken(serverOrigin, (client, token) =>
      client.importLinks(token, { file }),
    );
    await expectMoreLinks(serverOrigin);
    return imported;
  }

  return {
    changeLinks,
    editLink,
    refreshLink,
    findLinksOnServer,
    deleteLink,
    purgeLink,
    restoreLink,
    readStatistics,
    exportLinks,
    importLinks,
  };
}

type Known = {
  keepsTitle: boolean;
  isObsolete: IsObsolete;
  /** The entry, if it is not saved any more. */
  removed?: ListedLink;
};

/** Puts what a server says about a link into its entry. */
async function putRecord(
  reference: LinkReference,
  record: LinkRecord,
  { keepsTitle, isObsolete, removed }: Known,
): Promise<ListedLink> {
  const before = (await findLink(reference)) ?? removed;
  const entry = toEntry(reference.serverOrigin, record, before, keepsTitle);
  await replaceLink(reference, entry, isObsolete);
  return entry;
}

/** Whether a link was edited, or works for other visitors, since its entry was written. */
function isOutdated(entry: ListedLink, { version, status }: LinkRecord): boolean {
  return entry.serverState?.version !== version || statusOf(entry) !== status;
}
