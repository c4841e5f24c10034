import type { ComponentType } from 'preact';
import type { PlainKey } from '../../../shared/i18n/translate.ts';
import type { IconName } from '../../../shared/ui/Icon.tsx';
import { type LazyComponent, lazy as lazyComponent } from '../../../shared/ui/lazy.ts';
import { openStorage } from '../session/browser-storage.ts';
import type { PageProps } from './dashboard.ts';
import { aliasIn, CREATE, LINK_STATISTICS } from './link-paths.ts';
import { mayReload } from './may-reload.ts';
import { PageFailed } from './PageFailed.tsx';

export type Page = {
  /** Below `/dashboard`: empty for the first one. */
  path: string;
  title: PlainKey;
  component: LazyComponent<PageProps>;
  /** In the navigation, if it is there. */
  icon?: IconName;
};

/** A page, or why it could not be loaded. */
const lazy = (load: () => Promise<ComponentType<PageProps>>) =>
  lazyComponent(() => load().catch(failPage));

function failPage(): ComponentType<PageProps> {
  // After an upgrade of the server, an open dashboard asks for files that are gone. Parts of a page
  // reload nothing: a filled form or a token that is shown once would be lost.
  if (navigator.onLine && mayReload(openStorage('sessionStorage'), Date.now())) location.reload();
  return PageFailed;
}

const CreatePage = lazy(async () => (await import('../create/CreatePage.tsx')).CreatePage);

/** The path of the list of links. */
export const LIST = '';

/** All pages. Each one is loaded when it is first opened. */
export const PAGES: Page[] = [
  {
    path: LIST,
    title: 'nav_links',
    icon: 'links',
    component: lazy(async () => (await import('../links/LinksPage.tsx')).LinksPage),
  },
  {
    path: '/statistics',
    title: 'nav_statistics',
    icon: 'statistics',
    component: lazy(async () => (await import('../statistics/StatisticsPage.tsx')).StatisticsPage),
  },
  {
    path: LINK_STATISTICS,
    title: 'link_statistics',
    component: lazy(
      async () => (await import('../statistics/LinkStatisticsPage.tsx')).LinkStatisticsPage,
    ),
  },
  {
    path: '/account',
    title: 'account_heading',
    icon: 'account',
    component: lazy(async () => (await import('../account/AccountPage.tsx')).AccountPage),
  },
  { path: CREATE, title: 'create_heading', icon: 'add', component: CreatePage },
  // Opened with what another app shared (`build/app-manifest.ts`), and by the home page.
  { path: '/share', title: 'create_heading', component: CreatePage },
];

/** The page at a path below `/dashboard`. */
export function findPage(path: string): Page | undefined {
  return PAGES.find((page) => page.path === (aliasIn(path) === undefined ? path : LINK_STATISTICS));
}
