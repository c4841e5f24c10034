import type { Client, Result as ClientResult } from '../../../shared/client.ts';
import { addressOf, aliasOf, linkAt } from '../../../shared/links/link-address.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import { sleep, systemTime } from '../../../shared/time.ts';
import type { SavedLink } from '../../links/link.ts';
import type { LinkReference, Result } from '../../messaging/protocol.ts';
import type { IsObsolete } from '../../storage/define-item.ts';
import { findToken, startCall } from '../account/tokens.ts';
import { findLink, removeLink, replaceLink, toEntry } from '../data/saved-links.ts';

/** Which link, and who calls. */
export type LinkCall = { alias: string; domain?: string | undefined; token: string };

/** How long a server may take to confirm a saved link. Afterwards, the list is believed. */
const CONFIRM_MS = 1_000;

/** Calls servers with the account in use. */
export function createLinkCaller(clientOf: (origin: string) => Client, time = systemTime) {
  async function callAccount<T>(
    serverOrigin: string,
    call: (client: Client, token: string) => Promise<ClientResult<T>>,
  ): Promise<Result<T>> {
    const token = await findToken(serverOrigin, false);
    return token ? call(clientOf(serverOrigin), token) : { ok: false, code: 'token_required' };
  }

  /** Calls a server about one of its links. */
  async function callLink<T>(
    link: LinkReference,
    call: (client: Client, about: LinkCall) => Promise<ClientResult<T>>,
  ): Promise<Result<T>> {
    const token = await findToken(link.serverOrigin, false);
    if (!token) return { ok: false, code: 'token_required' };
    const client = clientOf(link.serverOrigin);
    const done = await call(client, { token, ...linkAt(addressOf(link)) });
    if (done.ok || done.code !== 'invalid_domain') return done;
    const shortUrl = await findShortUrl(link, client, token);
    if (shortUrl === undefined || shortUrl === link.shortUrl) return done;
    return call(client, { token, ...linkAt(addressOf({ shortUrl })) });
  }

  /** The short URL of a saved link on a server whose own domain is another one by now. */
  async function findShortUrl(
    link: LinkReference,
    client: Client,
    token: string,
  ): Promise<string | undefined> {
    const id = (await findLink(link))?.id;
    const found = await client.listLinks({ token, q: aliasOf(link) });
    return found.ok ? found.data.data.find((record) => record.id === id)?.shortUrl : undefined;
  }

  /** Brings a saved link up to date, if its server answers soon. */
  const refreshLink = (link: LinkReference): Promise<void> =>
    Promise.race([confirm(link), sleep(time, CONFIRM_MS)]);

  async function confirm(link: LinkReference): Promise<void> {
    const { isObsolete } = await startCall(link.serverOrigin);
    const before = await findLink(link);
    if (!before) return;
    const current = await callLink(link, (client, about) => client.getLink(about));
    if (!current.ok) {
      if (current.code === 'not_found') await removeLink(link);
    } else if (current.data.status === 'deleted') {
      await removeLink(link);
    } else if (wasChanged(before, current.data)) {
      await putRecord(link, current.data, isObsolete);
    }
  }

  return { callAccount, callLink, refreshLink };
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
