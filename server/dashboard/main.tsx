// Before all others: the token leaves the address bar at once.
import './session/take-fragment.ts';
import { render } from 'preact';
import { deleteDrafts } from '../../shared/ui/delete-drafts.ts';
import { ErrorBoundary } from '../../shared/ui/ErrorBoundary.tsx';
import { keepTranslatedTexts } from '../../shared/ui/keep-translated-texts.ts';
import { showDirectionMarks } from '../../shared/ui/show-direction-marks.ts';
import { createApi } from './api/api.ts';
import { App } from './app/App.tsx';
import { EDITED_ALIAS } from './app/link-paths.ts';
import { LANGUAGES, loadMessages, wantedLanguages } from './app/messages.ts';
import { findPage, LIST } from './app/pages.ts';
import { createRouter } from './app/router.ts';
import { openStorage } from './session/browser-storage.ts';
import { createEndedKeys } from './session/ended-keys.ts';
import { createSession } from './session/session.ts';
import { createSignInState } from './session/sign-in-state.ts';
import { onFragment, openedFragment } from './session/take-fragment.ts';

keepTranslatedTexts(document.body);
showDirectionMarks();
const session = createSession({
  temporary: openStorage('sessionStorage'),
  lasting: openStorage('localStorage'),
  ended: createEndedKeys(openStorage('localStorage'), 'curt-ended'),
  onLeave: deleteDrafts,
});
addEventListener('storage', session.refresh);
// Back in the history: another tab may have signed out since.
addEventListener('pageshow', session.refresh);
const api = createApi(session, location.origin);
const signIn = createSignInState({ session, api, origin: location.origin, code: openedFragment });
onFragment(signIn.offer);
const router = createRouter();
// What the first page needs is requested at once, not by one part after the other.
const messages = loadMessages(wantedLanguages(router.query.value), LANGUAGES);
if (session.token.value !== undefined && !signIn.isFromAddress.value) {
  const page = findPage(router.path.value);
  // With a link to edit, the list starts with a search for it.
  const isWholeList = page?.path === LIST && !router.query.value.has(EDITED_ALIAS);
  if (isWholeList) api.sendListAhead();
  void page?.component.preload();
  void api.load();
}
await messages;
render(
  <ErrorBoundary>
    <App dashboard={{ session, api, router, signIn, origin: location.origin }} />
  </ErrorBoundary>,
  document.getElementById('app') as HTMLElement,
);
// At the sign-in, it comes after the first content: it is larger than all the rest.
void api.load();
