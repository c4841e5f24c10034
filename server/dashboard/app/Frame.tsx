import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { languageCookie, languageName } from '../../../shared/i18n/language-choice.ts';
import { type PlainKey, shownLanguage, t } from '../../../shared/i18n/translate.ts';
import { Icon, type IconName } from '../../../shared/ui/Icon.tsx';
import { lazy } from '../../../shared/ui/lazy.ts';
import { Select } from '../../../shared/ui/Select.tsx';
import { LANGUAGE_TAGS } from './messages.ts';
import type { Router } from './router.ts';

const SignOutDialog = lazy(async () => (await import('./SignOutDialog.tsx')).SignOutDialog);

type FrameProps = {
  router: Router;
  /** What all pages together are called. */
  name: string;
  /** The title of the page. */
  title: string;
  /** Those with an icon are in the navigation. None: nobody is signed in. */
  pages: readonly { path: string; title: PlainKey; icon?: IconName }[];
  signOut: {
    act(): void;
    /** Whether it deletes a token that may be the only copy. */
    needsConfirmation(): boolean;
  };
  children: ComponentChildren;
};

/** Renders header, navigation and heading of every page. The focus moves to the heading with each page. */
export function Frame({ router, name, title, pages, signOut, children }: FrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(title);
  const isSigningOut = useSignal(false);
  useLayoutEffect(() => {
    document.documentElement.lang = shownLanguage();
    document.documentElement.dir = t('text_direction');
    document.title = `${title} – ${name}`;
    if (shown.current !== title) heading.current?.focus();
    shown.current = title;
  }, [title, name]);
  const hasNavigation = pages.length > 0;

  return (
    <>
      <header class="bar">
        {/* Not a link: the fragment of the address is for tokens. */}
        <button type="button" class="button skip-link" onClick={() => heading.current?.focus()}>
          {t('skip_to_content')}
        </button>
        <a class="brand" href={router.base}>
          <img src={brand.iconUrl} alt="" width="28" height="28" />
          {name}
        </a>
        {hasNavigation && (
          <>
            <nav class="bar-pages" aria-label={t('nav_label')}>
              {pages.map(
                ({ path, title, icon }) =>
                  icon && (
                    <a
                      key={path}
                      class="bar-page"
                      href={router.base + path}
                      aria-current={router.path.value === path ? 'page' : undefined}
                    >
                      <Icon name={icon} />
                      {t(title)}
                    </a>
                  ),
              )}
            </nav>
            <button
              type="button"
              class="button plain bar-end"
              onClick={() => {
                if (signOut.needsConfirmation()) isSigningOut.value = true;
                else signOut.act();
              }}
            >
              {t('sign_out')}
            </button>
            {isSigningOut.value && (
              <SignOutDialog
                onConfirm={signOut.act}
                onClose={() => {
                  isSigningOut.value = false;
                }}
              />
            )}
          </>
        )}
      </header>
      <main class={hasNavigation ? 'page wide' : 'page narrow'}>
        <h1 id="page-heading" ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </main>
      <LanguageChoice />
    </>
  );
}

/** Below every page. The choice holds for the server's other pages, too. */
function LanguageChoice() {
  return (
    <footer class="language-choice">
      <label for="language">{t('visit_language')}</label>
      <Select
        id="language"
        options={LANGUAGE_TAGS.map((value) => ({ value, label: languageName(value) }))}
        value={shownLanguage()}
        onChoose={choose}
      />
    </footer>
  );
}

/** Texts are loaded once: the page starts again. What is half-written stays, as with any reload. */
function choose(language: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: browsers have the Cookie Store API in secure pages only
  document.cookie = languageCookie(language);
  const url = new URL(location.href);
  url.searchParams.delete('lang');
  if (url.href === location.href) location.reload();
  else location.replace(url);
}

/** The operator's name and logo, which the server has written into the document. */
export const brand = {
  name: document.title,
  iconUrl: document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href ?? '',
};
