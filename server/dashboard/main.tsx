// Before all others: the token leaves the address bar at once.
import './session/take-fragment.ts';
import { render } from 'preact';
import { deleteDrafts } from '../../shared/ui/delete-drafts.ts';
import { ErrorBoundary } from '../../shared/ui/FailureNote.tsx';
import { showDirectionMarks } from '../../shared/ui/show-direction-marks.ts';
import { createApi } from './api/api.ts';
import { App } from './app/App.tsx';
import { LANGUAGES, loadMessages, MORE_TEXTS, wantedLanguages } from './app/messages.ts';
import { findPage, LIST } from './app/pages.tsx';
import { BASE, createRouter } from './app/router.ts';
import { createEndedKeys, createSession, openStorage } from './session/session.ts';
import { createSignIn } from './session/sign-in.ts';
import { onFragment, openedFragment } from './session/take-fragment.ts';

showDirectionMarks();
const router = createRouter();
const temporary = openStorage('sessionStorage');
const lasting = openStorage('localStorage');
const session = createSession({
  temporary,
  lasting,
  ended: createEndedKeys(lasting, 'curt-ended'),
  onLeave({ keepsAddress }) {
    deleteDrafts();
    // It has what they searched for, or shared.
    if (!keepsAddress) router.go(BASE, { replaces: true });
  },
});
addEventListener('storage', session.refresh);
// Back in the history: another tab may have signed out since.
addEventListener('pageshow', session.refresh);
const isSignedIn = session.token.value !== undefined;
if (!isSignedIn) shareSession();
const api = createApi(session, location.origin);
const signIn = createSignIn({ session, api, origin: location.origin });
onFragment(signIn.offer);
// What the first page needs is requested at once, not by one part after the other.
const messages = loadMessages(wantedLanguages(router.query.value), LANGUAGES, MORE_TEXTS);
if (openedFragment !== '') await signIn.offer(openedFragment);
if (session.token.value !== undefined && !signIn.isAsked.value) {
  const page = findPage(router.path.value);
  const isWholeList = page?.path === LIST && router.query.value.size === 0;
  void page?.component.preload();
  // The first rows do not wait for the client, which is larger than all the rest.
  if (isWholeList) api.sendListAhead();
  else void api.load();
}
await messages;
if (session.token.value === undefined) await signIn.Form.preload().catch(() => {});
render(
  <ErrorBoundary>
    <App dashboard={{ session, api, router, signIn, origin: location.origin }} />
  </ErrorBoundary>,
  document.getElementById('app') as HTMLElement,
);
// Nobody translates a page before it is there.
void import('../../shared/ui/keep-translated-texts.ts').then(({ keepTranslatedTexts }) =>
  keepTranslatedTexts(document.body),
);
// Other tabs ask for the key later than the first rows are there.
if (isSignedIn) shareSession();
// At the sign-in, too, it comes after the first content.
if (session.token.value === undefined) void api.load();

/** Takes over the key of another tab, and hands this one's over. */
function shareSession(): void {
  const tab = { storage: temporary, page: document, href: location.href };
  void import('./session/hand-over.ts')
    .then(({ shareBetweenTabs }) => shareBetweenTabs(session, tab))
    // Without it, each tab signs in by itself.
    .catch(() => {});
}
