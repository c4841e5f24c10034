import { render } from 'preact';
import { ErrorBoundary } from '../../../shared/ui/ErrorBoundary.tsx';
import { keepTranslatedTexts } from '../../../shared/ui/keep-translated-texts.ts';
import { showDirectionMarks } from '../../../shared/ui/show-direction-marks.ts';
import { loadMessages, wantedLanguages } from '../app/messages.ts';
import { BASE, createRouter } from '../app/router.ts';
import { openStorage } from '../session/browser-storage.ts';
import { createEndedKeys } from '../session/ended-keys.ts';
import { AdminApp } from './AdminApp.tsx';
import styles from './admin.css?url';
import { createAdminApi } from './api/admin-api.ts';
import { createAdminSession } from './session/admin-session.ts';
import { createAdminSignIn } from './session/admin-sign-in.ts';

/** All texts, also those of these pages only. See `build/used-messages.ts`. */
const LANGUAGES = import.meta.glob<Record<string, string>>('../../../shared/locales/*.json', {
  import: 'default',
  query: '?admin',
});

keepTranslatedTexts(document.body);
showDirectionMarks();
const { origin } = location;
const ended = createEndedKeys(openStorage('localStorage'), 'curt-admin-ended');
const session = createAdminSession(openStorage('sessionStorage'), ended);
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
