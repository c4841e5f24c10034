import type { LinkSummary } from '../../links/link.ts';
import { unlessFull } from '../../storage/quota.ts';
import type { ManageLinks } from '../account/manage-links.ts';
import {
  findLinks,
  findPlain,
  hasAllLinks,
  saveLink,
  selectReusable,
} from '../links/saved-links.ts';
import { hasUnsavedToken, startCall } from '../server/tokens.ts';

/** How long a server may take to confirm a link. Afterwards, the list is believed. */
const CONFIRM_MS = 1_000;
/** Proxies reject longer request lines. */
const URL_IN_QUERY_MAX_CHARACTERS = 4_000;

/**
 * The links of a URL, as `findLinks`. The one that would be reused is read from its server first, since
 * it may have been deleted or edited elsewhere; so is one that was paused or scheduled. Without a server
 * that answers, the list is believed.
 */
export async function findCurrentLinks(
  origin: string,
  url: string,
  { isPrivate, domain }: { isPrivate: boolean; domain?: string | undefined },
  { refreshLink }: Pick<ManageLinks, 'refreshLink'>,
): Promise<LinkSummary[]> {
  const confirmed = new Set<string>();
  for (;;) {
    const links = await findLinks(origin, url, isPrivate, Date.now());
    const existing =
      selectReusable(links, domain) ??
      (await findPlain(origin, url, ['inactive', 'scheduled'], domain));
    if (!existing?.serverState || confirmed.has(existing.serverState.id)) return links;
    confirmed.add(existing.serverState.id);
    const { shortUrl } = existing;
    await within(CONFIRM_MS, refreshLink({ serverOrigin: origin, shortUrl }));
  }
}

/**
 * The link to reuse for a URL that is not among the saved links, because the account may have more of them. It is
 * saved, as it is in use again. The URL is sent to the server, so this is for a URL that would be sent anyway.
 */
export async function findOlderLink(
  origin: string,
  url: string,
  domain: string | undefined,
  { findLinksOnServer }: Pick<ManageLinks, 'findLinksOnServer'>,
): Promise<LinkSummary | undefined> {
  if (encodeURIComponent(url).length > URL_IN_QUERY_MAX_CHARACTERS) return undefined;
  if (await hasAllLinks(origin)) return undefined;
  // Its links are not saved either. Creating one again returns the same, and saves the token, too.
  if (await hasUnsavedToken(origin)) return undefined;
  const { isObsolete } = await startCall(origin);
  const links = await within(CONFIRM_MS, findLinksOnServer(origin, url, domain));
  const existing = selectReusable(links ?? []);
  if (existing) await unlessFull(saveLink(origin, url, existing, false, isObsolete));
  return existing;
}

/** Waits for a task, but no longer than this. */
async function within<T>(limitMs: number, task: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  const result = await Promise.race([task, timeout]);
  clearTimeout(timer);
  return result;
}
