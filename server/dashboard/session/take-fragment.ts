/**
 * What came after `#` when the page was opened: a token or a recovery code, or nothing. `main.tsx` imports
 * this file before all others, so that the token leaves the address bar and the history at once.
 */
export const openedFragment = takeFragment();

function takeFragment(): string {
  const fragment = location.hash.slice(1);
  if (location.hash !== '' || location.href.endsWith('#')) {
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
