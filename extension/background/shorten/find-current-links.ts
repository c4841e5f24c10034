import type { LinkSummary } from '../../links/link.ts';
import type { ManageLinks } from '../account/manage-links.ts';
import { findLinks, selectReusable } from '../links/saved-links.ts';

/** How long a server may take to confirm a link. Afterwards, the list is believed. */
const CONFIRM_MS = 1_000;

/**
 * The links of a URL, as `findLinks`. The one that would be reused is read from its server first, since
 * it may have been deleted or edited elsewhere. Without a server that answers, the list is believed.
 */
export async function findCurrentLinks(
  origin: string,
  url: string,
  isPrivate: boolean,
  { refreshLink }: Pick<ManageLinks, 'refreshLink'>,
): Promise<LinkSummary[]> {
  const confirmed = new Set<string>();
  for (;;) {
    const links = await findLinks(origin, url, isPrivate, Date.now());
    const existing = selectReusable(links);
    if (!existing?.serverState || confirmed.has(existing.serverState.id)) return links;
    confirmed.add(existing.serverState.id);
    const { shortUrl } = existing;
    await within(CONFIRM_MS, refreshLink({ serverOrigin: origin, shortUrl }));
  }
}

/** Waits for a task, but no longer than this. */
async function within(limitMs: number, task: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([task, timeout]);
  clearTimeout(timer);
}
