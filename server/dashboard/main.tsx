// Before all others: the token leaves the address bar at once.
import './session/take-fragment.ts';
import { render } from 'preact';
import { createApi } from './api/api.ts';
import { App } from './app/App.tsx';
import { loadMessages } from './app/messages.ts';
import { createRouter } from './app/router.ts';
import { openStorage } from './session/browser-storage.ts';
import { createSession } from './session/session.ts';
import { createSignInState } from './session/sign-in-state.ts';
import { onFragment, openedFragment } from './session/take-fragment.ts';

const session = createSession({
  temporary: openStorage('sessionStorage'),
  lasting: openStorage('localStorage'),
});
addEventListener('storage', session.refresh);
const api = createApi(session, location.origin);
await loadMessages(navigator.languages);
const signIn = createSignInState({ session, api, origin: location.origin, code: openedFragment });
onFragment(signIn.offer);
const router = createRouter();
render(
  <App dashboard={{ session, api, router, signIn, origin: location.origin }} />,
  document.getElementById('app') as HTMLElement,
);
// Larger than all the rest, so it comes after the first content.
void api.load();

// After an upgrade of the server, an open dashboard asks for files that are gone.
addEventListener('vite:preloadError', () => {
  const [opened] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (opened?.type !== 'reload') location.reload();
});
