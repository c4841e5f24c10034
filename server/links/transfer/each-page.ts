import type { Link, LinkPosition } from '../../store/link.ts';
import type { Store } from '../../store/store.ts';

const PAGE_LINKS = 200;

/** The links of an account that match, newest first, in pages. Empty pages are left out. */
export async function* eachPage(
  store: Store,
  accountId: string,
  matches: (link: Link) => boolean,
): AsyncGenerator<Link[]> {
  let after: LinkPosition | null = null;
  for (;;) {
    const page: Awaited<ReturnType<Store['listLinks']>> = await store.listLinks({
      accountId,
      limit: PAGE_LINKS,
      after,
      matches,
    });
    if (page.links.length === 0) return;
    yield page.links;
    if (!page.next) return;
    after = page.next;
  }
}
