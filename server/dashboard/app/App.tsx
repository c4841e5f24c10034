import { t } from '../../../shared/i18n/translate.ts';
import { SignIn } from '../session/SignIn.tsx';
import type { PageProps } from './dashboard.ts';
import { Frame } from './Frame.tsx';
import { findPage } from './pages.ts';

/** The page at the current path, or the sign-in. */
export function App({ dashboard }: PageProps) {
  const { session, router, signIn } = dashboard;
  const isSignedIn = session.token.value !== undefined;
  if (!isSignedIn || signIn.isFromAddress.value) {
    return (
      <Frame dashboard={dashboard} title={t('sign_in')} hasNavigation={false}>
        <SignIn state={signIn} reason={session.signedOut.value} isSignedIn={isSignedIn} />
      </Frame>
    );
  }
  const page = findPage(router.path.value);
  const Page = page?.component;
  return (
    <Frame dashboard={dashboard} title={t(page?.title ?? 'page_not_found')} hasNavigation>
      {/* By token: another account starts with empty pages. */}
      {Page ? (
        <Page key={session.token.value} dashboard={dashboard} />
      ) : (
        <p>{t('page_not_found_text')}</p>
      )}
    </Frame>
  );
}
