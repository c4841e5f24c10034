import type { LinkCall } from '../../../shared/client/link-methods.ts';
import type { Client, Result as ClientResult } from '../../../shared/client.ts';
import { addressOf, aliasOf } from '../../../shared/links/link-address.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import type { SavedLink } from '../../links/link.ts';
import type { LinkReference, Result } from '../../messaging/protocol.ts';
import type { IsObsolete } from '../../storage/define-item.ts';
import { findToken, startCall } from '../account/tokens.ts';
import { findLink, removeLink, replaceLink, toEntry } from '../data/saved-links.ts';

/** Calls servers with the account in use. */
export function createLinkCaller(clientOf: (origin: string) => Client) {
  /** Calls a server with the token in use. */
  async function withToken<T>(
    serverOrigin: string,
    call: (client: Client, token: string) => Promise<ClientResult<T>>,
  ): Promise<Result<T>> {
    const token = await findToken(serverOrigin, false);
    return token ? call(clientOf(serverOrigin), token) : { ok: false, code: 'token_required' };
  }

  /** Calls a server about one of its links. */
  async function withLink<T>(
    link: LinkReference,
    call: (client: Client, about: LinkCall) => Promise<ClientResult<T>>,
  ): Promise<Result<T>> {
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

  return { withToken, withLink, refreshLink };
}
export type LinkCaller = ReturnType<typeof createLinkCaller>;

/** Puts what a server says about a link into its entry. @param removed the entry, if it is not saved any more */
export async function putRecord(
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
