import { computed, type ReadonlySignal, signal } from '@preact/signals';

/** The query parameter of a list that names a link to edit: its alias, or its address. */
export const EDITED_ALIAS = 'edit';

/** The address of the page, as a state that Back and Forward change, too. */
export type Address = {
  query: ReadonlySignal<URLSearchParams>;
  /** Sets parameters of the query; an empty one goes. */
  setQuery(changes: Record<string, string | undefined>, options?: { isNewEntry?: boolean }): void;
};

/** Creates the address by the History API. */
export function createAddress() {
  const url = signal(currentUrl());
  const query = computed(() => url.value.searchParams);

  /** @param replaces whether Back leads to what was before the current address @default false */
  function go(to: string, { replaces = false } = {}): void {
    try {
      if (replaces) history.replaceState(history.state, '', to);
      else history.pushState(null, '', to);
    } catch {
      // Safari allows 100 changes in 30 seconds, which fast typing can exceed.
    }
    url.value = currentUrl();
  }

  const setQuery: Address['setQuery'] = (changes, { isNewEntry = false } = {}) => {
    const to = currentUrl();
    for (const [name, value] of Object.entries(changes)) {
      if (value) to.searchParams.set(name, value);
      else to.searchParams.delete(name);
    }
    // What came after it was read, and would be read again.
    to.hash = '';
    if (to.href !== window.location.href) go(to.href, { replaces: !isNewEntry });
  };

  addEventListener('popstate', () => {
    url.value = currentUrl();
  });
  return { url, query, go, setQuery };
}

function currentUrl(): URL {
  return new URL(window.location.href);
}
