/**
 * What came after `#` when the page was opened: a token, or nothing. `main.tsx` imports
 * this file before all others, so that the token leaves the address bar, and the page's own history, at once. What the browser has
 * written about the visit stays.
 */
export const openedFragment = takeFragment();

/** Reports a fragment that is entered later, which doesn't load the page again. */
export function onFragment(use: (fragment: string) => void): void {
  addEventListener('hashchange', () => {
    const fragment = takeFragment();
    if (fragment !== '') use(fragment);
  });
}

function takeFragment(): string {
  const fragment = location.hash.slice(1);
  if (fragment === '') return '';
  history.replaceState(history.state, '', location.pathname + location.search);
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
