import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { shownLanguage, t } from '../../../shared/i18n/translate.ts';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import type { Dashboard } from './dashboard.ts';
import { PAGES } from './pages.ts';
import { BASE } from './router.ts';

export type FrameProps = {
  dashboard: Dashboard;
  title: string;
  hasNavigation: boolean;
  children: ComponentChildren;
};

/** Header, navigation and heading of every page. The focus moves to the heading with each page. */
export function Frame({ dashboard, title, hasNavigation, children }: FrameProps) {
  const { session, router } = dashboard;
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(title);
  const isSigningOut = useSignal(false);
  useLayoutEffect(() => {
    document.documentElement.lang = shownLanguage();
    document.documentElement.dir = t('text_direction');
    document.title = `${title} – Curt`;
    if (shown.current !== title) heading.current?.focus();
    shown.current = title;
  }, [title]);

  return (
    <>
      <header class="bar">
        {/* Not a link: the fragment of the address is for tokens. */}
        <button type="button" class="button skip-link" onClick={() => heading.current?.focus()}>
          {t('skip_to_content')}
        </button>
        <a class="brand" href={BASE}>
          <img src="/favicon.svg" alt="" width="28" height="28" />
          {t('extension_name')}
        </a>
        {hasNavigation && (
          <>
            <nav class="bar-pages" aria-label={t('nav_label')}>
              {PAGES.map(
                ({ path, title, icon }) =>
                  icon && (
                    <a
                      key={path}
                      class="bar-page"
                      href={BASE + path}
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
                // The token on the device may be the only copy.
                if (session.stays()) isSigningOut.value = true;
                else session.signOut('by_user');
              }}
            >
              {t('sign_out')}
            </button>
            <ConfirmDialog
              isOpen={isSigningOut.value}
              title={t('sign_out_question')}
              confirm={t('sign_out')}
              isDanger
              onConfirm={() => session.signOut('by_user')}
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
    </>
  );
}
