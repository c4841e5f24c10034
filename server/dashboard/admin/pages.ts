import type { ComponentType } from 'preact';
import type { PlainKey } from '../../../shared/i18n/translate.ts';
import type { IconName } from '../../../shared/ui/Icon.tsx';
import { AccountPage } from './accounts/AccountPage.tsx';
import { AccountsPage } from './accounts/AccountsPage.tsx';
import type { AdminPageProps } from './admin.ts';
import { AuditPage } from './audit/AuditPage.tsx';
import { BlocksPage } from './blocks/BlocksPage.tsx';
import { DomainPage } from './domains/DomainPage.tsx';
import { DomainsPage } from './domains/DomainsPage.tsx';
import { AllLinksPage } from './links/AllLinksPage.tsx';
import { ReportsPage } from './reports/ReportsPage.tsx';
import { SystemPage } from './system/SystemPage.tsx';

type AdminPage = {
  /** Below `/dashboard/admin`: empty for the first one. */
  path: string;
  title: PlainKey;
  component: ComponentType<AdminPageProps>;
  /** In the navigation, if it is there. */
  icon?: IconName;
};

/** The administrator's pages, which are small: all of them are loaded at once. */
export const ADMIN_PAGES: AdminPage[] = [
  { path: '', title: 'admin_accounts', icon: 'account', component: AccountsPage },
  { path: '/account', title: 'account_heading', component: AccountPage },
  { path: '/links', title: 'nav_links', icon: 'links', component: AllLinksPage },
  { path: '/blocks', title: 'admin_blocks', icon: 'lock', component: BlocksPage },
  { path: '/reports', title: 'admin_reports', icon: 'alert', component: ReportsPage },
  { path: '/domains', title: 'admin_domains', icon: 'domain', component: DomainsPage },
  { path: '/domain', title: 'admin_domains', component: DomainPage },
  { path: '/audit', title: 'admin_audit', icon: 'wait', component: AuditPage },
  { path: '/system', title: 'admin_system', icon: 'settings', component: SystemPage },
];
