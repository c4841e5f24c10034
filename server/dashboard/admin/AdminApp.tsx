import type { ComponentType } from 'preact';
import { type PlainKey, t } from '../../../shared/i18n/translate.ts';
import type { IconName } from '../../../shared/ui/Icon.tsx';
import { Frame } from '../app/Frame.tsx';
import { AccountPage } from './accounts/AccountPage.tsx';
import type { AdminPageProps } from './admin.ts';
import { DomainPage } from './domains/DomainPage.tsx';
import {
  AccountsPage,
  AllLinksPage,
  AuditPage,
  BlocksPage,
  DomainsPage,
  ReportsPage,
} from './lists/admin-lists.tsx';
import { OverviewPage } from './overview/OverviewPage.tsx';
import { AdminSignIn } from './session/AdminSignIn.tsx';
import { SystemPage } from './system/SystemPage.tsx';
import '../styles/account.css';

/** Renders the administrator's page at the current path, or the sign-in. */
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
        // By address: another account starts with an empty page. A list is the same with another search.
        <page.component key={`${page.path}${page.icon ? '' : router.query.value}`} admin={admin} />
      ) : (
        <p>{t('page_not_found_text')}</p>
      )}
    </Frame>
  );
}

type AdminPage = {
  /** Below `/dashboard/admin`: empty for the first one. */
  path: string;
  title: PlainKey;
  component: ComponentType<AdminPageProps>;
  /** In the navigation, if it is there. */
  icon?: IconName;
};

/** The administrator's pages, which are small: all of them are loaded at once. */
const ADMIN_PAGES: AdminPage[] = [
  { path: '', title: 'admin_overview', icon: 'statistics', component: OverviewPage },
  { path: '/accounts', title: 'admin_accounts', icon: 'account', component: AccountsPage },
  { path: '/account', title: 'account_heading', component: AccountPage },
  { path: '/links', title: 'nav_links', icon: 'links', component: AllLinksPage },
  { path: '/blocks', title: 'admin_blocks', icon: 'lock', component: BlocksPage },
  { path: '/reports', title: 'admin_reports', icon: 'alert', component: ReportsPage },
  { path: '/domains', title: 'admin_domains', icon: 'domain', component: DomainsPage },
  { path: '/domain', title: 'admin_domains', component: DomainPage },
  { path: '/audit', title: 'admin_audit', icon: 'wait', component: AuditPage },
  { path: '/system', title: 'admin_system', icon: 'settings', component: SystemPage },
];
