import { t } from '../../../shared/i18n/translate.ts';
import { lazy } from '../../../shared/ui/lazy.ts';
import type { PalettePage } from '../../../shared/ui/palette/Palette.tsx';
import { PaletteKey } from '../../../shared/ui/palette/PaletteKey.tsx';
import type { PageProps } from './dashboard.ts';
import { brand, Frame } from './Frame.tsx';
import { findPage, PAGES } from './pages.tsx';
import { BASE } from './router.ts';

const LinksPalette = lazy(async () => (await import('../links/LinksPalette.tsx')).LinksPalette);

/** The pages of the navigation. */
function paletteOptions(): PalettePage[] {
  return PAGES.flatMap(({ path, title, icon }) =>
    icon ? [{ label: t(title), icon, href: BASE + path }] : [],
  );
}

/** Renders the page at the current path, or the sign-in. */
export function App({ dashboard }: PageProps) {
  const { session, router, signIn } = dashboard;
  const isSignedIn = session.token.value !== undefined;
  const frame = {
    router,
    name: brand.name,
    // The token on the device may be the only copy.
    signOut: { act: () => session.signOut('by_user'), needsConfirmation: session.stays },
  };
  if (!isSignedIn || signIn.isAsked.value) {
    return (
      <Frame {...frame} title={t('sign_in')} pages={[]}>
        <signIn.Form reason={session.signedOut.value} isSignedIn={isSignedIn} />
      </Frame>
    );
  }
  const page = findPage(router.path.value);
  const Page = page?.component;
  return (
    <Frame {...frame} title={t(page?.title ?? 'page_not_found')} pages={PAGES}>
      {/* By token: another account starts with empty pages. */}
      {Page ? (
        <Page key={session.token.value} dashboard={dashboard} />
      ) : (
        <p>{t('page_not_found_text')}</p>
      )}
      <PaletteKey
        palette={(onClose) => (
          <LinksPalette
            key={session.token.value}
            dashboard={dashboard}
            pages={paletteOptions()}
            onClose={onClose}
          />
        )}
      />
    </Frame>
  );
}
