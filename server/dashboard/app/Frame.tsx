import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type PlainKey, shownLanguage, t } from '../../../shared/i18n/translate.ts';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { Icon, type IconName } from '../../../shared/ui/Icon.tsx';
import { brand } from './brand.ts';
import { LanguageChoice } from './LanguageChoice.tsx';
import type { Router } from './router.ts';

export type FrameProps = {
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

/** Header, navigation and heading of every page. The focus moves to the heading with each page. */
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
            <ConfirmDialog
              isOpen={isSigningOut.value}
              title={t('sign_out_question')}
              confirm={t('sign_out')}
              isDanger
              onConfirm={signOut.act}
              onClose={() => {
                isSigningOut.value = false;
              }}
            >
              <p>{t('sign_out_text')}</p>
            </ConfirmDialog>
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
