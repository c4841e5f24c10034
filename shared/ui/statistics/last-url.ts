import { EDITED_ALIAS } from '../address.ts';

/**
 * Returns the URL of a page as it was last open in this tab, for example with the filters of a list, or the URL
 * itself if it wasn't, or if the browser does not tell.
 */
export function lastUrlOf(url: string): string {
  const page = new URL(url, location.href);
  // Not in Firefox before 147 and Safari before 26.2.
  const history: Navigation | undefined = window.navigation;
  const visited = (history?.entries() ?? []).slice(0, history?.currentEntry?.index);
  for (const entry of visited.toReversed()) {
    // Of documents that send no referrer, it is known only until a reload.
    const last = entry.url === null ? null : new URL(entry.url);
    if (!last || !isSamePage(last, page)) continue;
    last.searchParams.delete(EDITED_ALIAS);
    return last.href === page.href ? url : last.href;
  }
  return url;
}

/** Whether it is the same page, which may be about one of several servers. */
function isSamePage(one: URL, { origin, pathname, searchParams }: URL): boolean {
  if (one.origin !== origin || one.pathname !== pathname) return false;
  return [...searchParams].every(([name, value]) => one.searchParams.get(name) === value);
}
