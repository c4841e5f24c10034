import { computed, signal } from '@preact/signals';

export const BASE = '/dashboard';

export type Router = ReturnType<typeof createRouter>;

/** The paths below `/dashboard`, by the History API. */
export function createRouter() {
  const location = signal(currentUrl());
  /** Without `/dashboard` and a trailing slash: empty for the first page, or `/account`. */
  const path = computed(() => location.value.pathname.slice(BASE.length).replace(/\/$/, ''));
  const query = computed(() => location.value.searchParams);

  /** @param to a path below `/dashboard`, with `/dashboard` */
  function navigate(to: string, { replaces = false } = {}): void {
    if (replaces) history.replaceState(null, '', to);
    else history.pushState(null, '', to);
    location.value = currentUrl();
    scrollTo(0, 0);
  }

  /** Opens a clicked link without a load of the page, if it leads to another page of the dashboard. */
  function followLink(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const opensElsewhere = link?.target || link?.hasAttribute('download');
    const hasModifier = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (!link || opensElsewhere || hasModifier || event.button !== 0) return;
    const isOurs = link.origin === window.location.origin && isBelowBase(link.pathname);
    if (event.defaultPrevented || !isOurs || link.hash !== '') return;
    event.preventDefault();
    navigate(link.href);
  }

  addEventListener('popstate', () => {
    location.value = currentUrl();
  });
  document.addEventListener('click', followLink);
  return { path, query, navigate };
}

function currentUrl(): URL {
  return new URL(window.location.href);
}

function isBelowBase(path: string): boolean {
  return path === BASE || path.startsWith(`${BASE}/`);
}
