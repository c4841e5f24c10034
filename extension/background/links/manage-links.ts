import type { LinkCall } from '../../../shared/client/link-methods.ts';
import type { Client, Result } from '../../../shared/client.ts';
import type { EditRequest } from '../../../shared/links/edit-request.ts';
import { hasValues } from '../../../shared/links/has-values.ts';
import { addressOf, aliasOf } from '../../../shared/links/link-address.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import type { ImportReport, ImportStatus } from '../../../shared/links/transfer.ts';
import type { StatisticsReport } from '../../../shared/statistics.ts';
import { changeSelected, editOrRead } from '../../../shared/ui/links/link-calls.ts';
import type { ChangedLinks } from '../../../shared/ui/links/link-source.ts';
import type { SavedLink } from '../../links/link.ts';
import type {
  Answer,
  EditAnswer,
  Failure,
  LinkReference,
  Payload,
} from '../../messaging/protocol.ts';
import type { IsObsolete } from '../../storage/define-item.ts';
import { findToken, startCall } from '../account/tokens.ts';
import { findLink, linksOf, removeLink, replaceLink, toEntry } from '../data/saved-links.ts';
import { hasPrivateLinks } from '../queue/private-links.ts';

export type ManageLinks = ReturnType<typeof createManageLinks>;

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

  /** Calls a server about one of its links. */
  async function withLink<T>(
    link: LinkReference,
    call: (client: Client, about: LinkCall) => Promise<Result<T>>,
  ): Promise<Answer<T>> {
    const callWith = (shortUrl: string) =>
      withToken(link.serverOrigin, (client, token) =>
        call(client, { token, alias: addressOf({ shortUrl }) }),
      );
    const done = await callWith(link.shortUrl);
    if (done.ok || done.code !== 'invalid_domain') return done;
    const current = await findShortUrl(link);
    return current === undefined || current === link.shortUrl ? done : callWith(current);
  }

  /** The short URL of a saved link on a server whose own domain is another one by now. */
  async function findShortUrl(link: LinkReference): Promise<string | undefined> {
    const id = (await findLink(link))?.id;
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
    const edited = await editOrRead<Failure>((run) => withLink(link, run), changes, ifMatch);
    if (edited.ok) return { ok: true, data: await putRecord(link, edited.data, isObsolete) };
    const { current, ...failure } = edited;
    if (!current) return failure;
    // A page repeats its message if the worker stopped, which may have sent the edit before.
    const entry = await putRecord(link, current, isObsolete);
    return hasValues(current, changes) ? { ok: true, data: entry } : { ...failure, current: entry };
  }

  /** The saved links are brought up to date when the list is read again. */
  function changeLinks({
    serverOrigin,
    selection,
    change,
    options,
  }: Payload<'changeLinks'>): Promise<Answer<ChangedLinks>> {
    return changeSelected<Failure>(
      (run) => withToken(serverOrigin, run),
      selection,
      change,
      options,
    );
  }

  /** Brings a saved link up to date, if its server answers. */
  async function refreshLink(link: LinkReference): Promise<void> {
    const { isObsolete } = await startCall(link.serverOrigin);
    const before = await findLink(link);
    if (!before) return;
    const current = await withLink(link, (client, about) => client.getLink(about));
    if (!current.ok) {
      if (current.code === 'not_found') await removeLink(link);
    } else if (current.data.status === 'deleted') {
      await removeLink(link);
    } else if (wasChanged(before, current.data)) {
      await putRecord(link, current.data, isObsolete);
    }
  }

  /** Visitors get 410. The link can be restored for 30 days. */
  function deleteLink(link: LinkReference): Promise<Answer<true>> {
    return removeAfter(link, (client, about) => client.deleteLink(about));
  }

  function purgeLink(link: LinkReference): Promise<Answer<true>> {
    return removeAfter(link, (client, about) => client.deleteLink(about, { purge: true }));
  }

  async function removeAfter(
    link: LinkReference,
    call: (client: Client, about: LinkCall) => Promise<Result<unknown>>,
  ): Promise<Answer<true>> {
    const done = await withLink(link, call);
    if (!done.ok) return done;
    await removeLink(link);
    return { ok: true, data: true };
  }

  /** @param link as it was listed: some of it is known here only */
  async function restoreLink(link: SavedLink): Promise<Answer<SavedLink>> {
    const { isObsolete } = await startCall(link.serverOrigin);
    const restored = await withLink(link, (client, about) => client.restoreLink(about));
    if (!restored.ok) return restored;
    return { ok: true, data: await putRecord(link, restored.data, isObsolete, link) };
  }

  async function readStatistics({
    serverOrigin,
    shortUrl,
    query,
  }: Payload<'readStatistics'>): Promise<Answer<StatisticsReport>> {
    if (shortUrl !== undefined) {
      return withLink({ serverOrigin, shortUrl }, (client, { token, alias }) =>
        client.getLinkStatistics(token, alias, query),
      );
    }
    const report = await withToken(serverOrigin, (client, token) =>
      client.getStatistics(token, query),
    );
    if (!report.ok || !(await hasPrivateLinks(serverOrigin))) return report;
    // Without IDs, private links can't be told from others. Saved links are never private.
    const saved = new Set((await linksOf(serverOrigin)).map((link) => link.shortUrl));
    const { topLinks, ...rest } = report.data;
    const [shown = [], hidden = []] = [true, false].map((isShown) =>
      topLinks.filter((link) => saved.has(link.shortUrl) === isShown),
    );
    const otherLinks = hidden.reduce((sum, { people }) => sum + people, rest.otherLinks);
    const data = { ...rest, topLinks: shown, otherLinks };
    return { ok: true, data };
  }

  /** The links of the account that match, as a file. */
  async function exportLinks({
    serverOrigin,
    format,
    filter,
  }: Payload<'exportLinks'>): Promise<Answer<string>> {
    const file = await withToken(serverOrigin, (client, token) =>
      client.exportLinks(token, { format, secrets: false, ...filter }),
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
    options,
  }: Payload<'importLinks'>): Promise<Answer<ImportReport>> {
    const bytes = Uint8Array.from(atob(file), (character) => character.charCodeAt(0));
    return withToken(serverOrigin, (client, token) =>
      client.importLinks(token, { file: new Blob([bytes]), ...options }),
    );
  }

  async function readImport({
    serverOrigin,
    isStopped = false,
  }: Payload<'readImport'>): Promise<Answer<ImportStatus | null>> {
    return withToken(serverOrigin, (client, token) =>
      isStopped ? client.stopImport(token) : client.getImport(token),
    );
  }

  return {
    changeLinks,
    editLink,
    refreshLink,
    deleteLink,
    purgeLink,
    restoreLink,
    readStatistics,
    exportLinks,
    importLinks,
    readImport,
  };
}

/** Puts what a server says about a link into its entry. @param removed the entry, if it is not saved any more */
async function putRecord(
  reference: LinkReference,
  record: LinkRecord,
  isObsolete: IsObsolete,
  removed?: SavedLink,
): Promise<SavedLink> {
  const before = (await findLink(reference)) ?? removed;
  const entry = toEntry(reference.serverOrigin, record, before);
  await replaceLink(reference, entry, isObsolete);
  return entry;
}

/** Whether a link was edited, or works for other visitors, since its entry was written. */
function wasChanged(entry: SavedLink, { version, status }: LinkRecord): boolean {
  return entry.version !== version || entry.status !== status;
}
