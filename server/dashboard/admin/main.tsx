import { render } from 'preact';
import { ErrorBoundary } from '../../../shared/ui/ErrorBoundary.tsx';
import { loadMessages } from '../app/messages.ts';
import { BASE, createRouter } from '../app/router.ts';
import { openStorage } from '../session/browser-storage.ts';
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

const { origin } = location;
const session = createAdminSession(openStorage('sessionStorage'));
const api = createAdminApi(session, origin);
const signIn = createAdminSignIn({ session, api, origin });
const router = createRouter(`${BASE}/admin`);
void api.load();
const stylesLoaded = addStyles(styles);
await loadMessages(navigator.languages, LANGUAGES);
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
