import type { LinkRecord } from '../../../shared/links/link-record.ts';
import { hiddenLinkIds, watchErasing } from '../../storage/items.ts';
import { hideLink, linksOf } from '../data/saved-links.ts';
import { deletePending, listPrivateCalls } from './pending-requests.ts';

/** How far the clocks of the browser and the server may differ. */
const CLOCK_DIFFERENCE_MS = 5 * 60_000;

type LeftOut = {
  records: LinkRecord[];
  /** How many links of private windows may be among the account's other links. */
  elsewhere: number;
};

/**
 * Leaves out the links that private windows created in the account. If the response to a request was
 * lost, only its URL and time tell which link it has created, if any.
 *
 * @param records as their server has just returned them
 */
export async function leaveOutPrivate(origin: string, records: LinkRecord[]): Promise<LeftOut> {
  const isErased = watchErasing();
  // In this order: a call that settles in between has hidden its link by then.
  const calls = await listPrivateCalls(origin);
  const hidden = new Set((await hiddenLinkIds.read())[origin]);
  const saved = new Set((await linksOf(origin)).map(({ shortUrl }) => shortUrl));
  let unknown = 0;
  for (const [pendingId, { request, call, requestedAtMs, isDiscarded }] of calls) {
    const url = normalize(request.originalUrl);
    const earliest = (call?.startedAtMs ?? requestedAtMs) - CLOCK_DIFFERENCE_MS;
    const found = records.find(
      ({ id, originalUrl, created, shortUrl }) =>
        Date.parse(created) >= earliest &&
        !saved.has(shortUrl) &&
        !hidden.has(id) &&
        normalize(originalUrl) === url,
    );
    if (!found) {
      unknown += 1;
      continue;
    }
    // Another request of the URL has created another link.
    hidden.add(found.id);
    if (!isDiscarded) continue;
    await hideLink(origin, found.id, isErased);
    await deletePending(pendingId);
  }
  const shown = records.filter(({ id }) => !hidden.has(id));
  const leftOut = records.length - shown.length;
  return { records: shown, elsewhere: hidden.size - leftOut + unknown };
}

/** Whether the account may have links that `leaveOutPrivate` leaves out. */
export async function hasPrivateLinks(origin: string): Promise<boolean> {
  const calls = await listPrivateCalls(origin);
  return calls.length > 0 || origin in (await hiddenLinkIds.read());
}

/** As servers return it. */
function normalize(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}
