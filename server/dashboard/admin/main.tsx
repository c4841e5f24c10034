import { render } from 'preact';
import { ErrorBoundary } from '../../../shared/ui/FailureNote.tsx';
import { keepTranslatedTexts } from '../../../shared/ui/keep-translated-texts.ts';
import { showDirectionMarks } from '../../../shared/ui/show-direction-marks.ts';
import { loadMessages, wantedLanguages } from '../app/messages.ts';
import { BASE, createRouter } from '../app/router.ts';
import { createEndedKeys, createSession, openStorage } from '../session/session.ts';
import { AdminApp } from './AdminApp.tsx';
import styles from './admin.css?url';
import { createAdminApi } from './api/admin-api.ts';
import { createAdminSignIn } from './session/AdminSignIn.tsx';

/** All texts, also those of these pages only. See `build/used-messages.ts`. */
const LANGUAGES = import.meta.glob<Record<string, string>>('../../../shared/locales/*.json', {
  import: 'default',
  query: '?admin',
});

keepTranslatedTexts(document.body);
showDirectionMarks();
const { origin } = location;
const ended = createEndedKeys(openStorage('localStorage'), 'curt-admin-ended');
const tab = openStorage('sessionStorage');
// The token reads every link, so it never stays on a device.
const session = createSession({ key: 'curt-admin-token', temporary: tab, lasting: tab, ended });
addEventListener('storage', session.refresh);
addEventListener('pageshow', session.refresh);
const api = createAdminApi(session, origin);
const signIn = createAdminSignIn({ session, api, origin });
const router = createRouter(`${BASE}/admin`);
void api.load();
const stylesLoaded = addStyles(styles);
await loadMessages(wantedLanguages(router.query.value), LANGUAGES);
await stylesLoaded;
render(
  <ErrorBoundary>
    <AdminApp admin={{ session, api, router, signIn, origin }} />
  </ErrorBoundary>,
  document.getElementById('app') as HTMLElement,
);

/** In a file of their own, since those of all other pages are in one. */
function addStyles(href: string): Promise<unknown> {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  // Without them, the pages only look different.
  const settled = new Promise((resolve) => {
    link.onload = resolve;
    link.onerror = resolve;
  });
  document.head.append(link);
  return settled;
}
