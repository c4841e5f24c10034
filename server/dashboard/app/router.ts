import { computed } from '@preact/signals';
import { createAddress, EDITED_ALIAS } from '../../../shared/ui/address.ts';

export const BASE = '/dashboard';

export type Router = ReturnType<typeof createRouter>;

/** Creates the paths below `/dashboard`, or another base. */
export function createRouter(base = BASE) {
  const { url, query, go, setQuery } = createAddress();
  /** Without the base and a trailing slash: empty for the first page, or `/account`. */
  const path = computed(() => url.value.pathname.slice(base.length).replace(/\/$/, ''));

  /** @param to a path below the base, with the base */
  function navigate(to: string): void {
    go(to);
    scrollTo(0, 0);
  }

  /** Opens a clicked link without a load of the page, if it leads to another page of these. */
  function followLink(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const opensElsewhere = link?.target || link?.hasAttribute('download');
    const hasModifier = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (!link || opensElsewhere || hasModifier || event.button !== 0) return;
    const isOurs = link.origin === window.location.origin && isBelow(base, link.pathname);
    if (event.defaultPrevented || !isOurs || link.hash !== '') return;
    event.preventDefault();
    navigate(link.href);
  }

  document.addEventListener('click', followLink);
  return { base, path, query, setQuery, go, navigate };
}

function isBelow(base: string, path: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}

/** The form for a new link. */
export const CREATE = '/create';

/** The same form with what another app shared (`build/app-manifest.ts`), or the home page sent. */
export const SHARE = '/share';

/** The page with the statistics of a link. */
export const LINK_STATISTICS = '/links/:alias/statistics';
const PATTERN = /^\/links\/([^/]+)\/statistics$/;

/** Returns the path of a link's statistics, with `/dashboard`. @param alias as `pathNameOf` names a link */
export function linkStatisticsPath(alias: string): string {
  return BASE + LINK_STATISTICS.replace(':alias', encodeURIComponent(alias));
}

/** Returns the path of the list with the form for a link open, with `/dashboard`. @param address see `addressOf` */
export function editLinkPath(address: string): string {
  return `${BASE}?${new URLSearchParams({ [EDITED_ALIAS]: address })}`;
}

/** Returns the alias in the path of a link's statistics; undefined in other paths. */
export function aliasIn(path: string): string | undefined {
  const [, alias] = PATTERN.exec(path) ?? [];
  try {
    return alias && decodeURIComponent(alias);
  } catch {
    return undefined;
  }
}
