import { computed, signal } from '@preact/signals';

export const BASE = '/dashboard';

export type Router = ReturnType<typeof createRouter>;

/** The paths below `/dashboard`, or another base, by the History API. */
export function createRouter(base = BASE) {
  const location = signal(currentUrl());
  /** Without the base and a trailing slash: empty for the first page, or `/account`. */
  const path = computed(() => location.value.pathname.slice(base.length).replace(/\/$/, ''));
  const query = computed(() => location.value.searchParams);

  /** @param to a path below the base, with the base */
  function navigate(to: string, { replaces = false } = {}): void {
    if (replaces) history.replaceState(null, '', to);
    else history.pushState(null, '', to);
    location.value = currentUrl();
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

  addEventListener('popstate', () => {
    location.value = currentUrl();
  });
  document.addEventListener('click', followLink);
  return { base, path, query, navigate };
}

function currentUrl(): URL {
  return new URL(window.location.href);
}

function isBelow(base: string, path: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}
