import { t } from '../../../shared/i18n/translate.ts';
import { Frame } from '../app/Frame.tsx';
import type { AdminPageProps } from './admin.ts';
import { ADMIN_PAGES } from './pages.ts';
import { AdminSignIn } from './session/AdminSignIn.tsx';

/** The administrator's page at the current path, or the sign-in. */
export function AdminApp({ admin }: AdminPageProps) {
  const { session, router, signIn } = admin;
  const frame = {
    router,
    name: t('admin_title'),
    signOut: { act: () => session.signOut('by_user'), needsConfirmation: () => false },
  };
  if (session.token.value === undefined) {
    return (
      <Frame {...frame} title={t('sign_in')} pages={[]}>
        <AdminSignIn state={signIn} reason={session.signedOut.value} />
      </Frame>
    );
  }
  const page = ADMIN_PAGES.find(({ path }) => path === router.path.value);
  return (
    <Frame {...frame} title={t(page?.title ?? 'page_not_found')} pages={ADMIN_PAGES}>
      {page ? (
        // By address: another account starts with an empty page.
        <page.component key={`${page.path}${router.query.value}`} admin={admin} />
      ) : (
        <p>{t('page_not_found_text')}</p>
      )}
    </Frame>
  );
}
