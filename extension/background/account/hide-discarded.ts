import type { LinkRecord } from '../../../shared/links/link-record.ts';
import { hiddenLinkIds } from '../../storage/items.ts';
import { listLinks } from '../links/link-list.ts';
import { hideLink } from '../links/link-store.ts';
import { deletePending, listDiscarded } from '../queue/pending-requests.ts';

/** How far the clocks of the browser and the server may differ. */
const CLOCK_DIFFERENCE_MS = 5 * 60_000;

/**
 * Hides the links that discarded requests of private windows have created after all: their responses were
 * lost, so only the URL and the time tell which ones these are.
 *
 * @param records all links of the account
 */
export async function hideDiscarded(origin: string, records: LinkRecord[]): Promise<void> {
  const discarded = await listDiscarded(origin);
  if (discarded.length === 0) return;
  const listed = new Set((await listLinks()).map(({ shortUrl }) => shortUrl));
  const hidden = new Set(await hiddenLinkIds.read());
  for (const [pendingId, { request, call, requestedAtMs }] of discarded) {
    const url = normalize(request.originalUrl);
    const earliest = (call?.startedAtMs ?? requestedAtMs) - CLOCK_DIFFERENCE_MS;
    const found = records.find(
      ({ id, originalUrl, created, shortUrl }) =>
        Date.parse(created) >= earliest &&
        !listed.has(shortUrl) &&
        !hidden.has(id) &&
        normalize(originalUrl) === url,
    );
    if (!found) continue;
    // Another discarded request of the URL has created another link.
    hidden.add(found.id);
    await hideLink(found.id);
    await deletePending(pendingId);
  }
}

/** As servers return it. */
function normalize(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}
