import type { ComponentType } from 'preact';
import type { PlainKey } from '../../../shared/i18n/translate.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { FailureNote } from '../../../shared/ui/FailureNote.tsx';
import type { IconName } from '../../../shared/ui/Icon.tsx';
import {
  type LazyComponent,
  type LazyOptions,
  lazy as lazyComponent,
} from '../../../shared/ui/lazy.ts';
import type { TokenStorage } from '../session/session.ts';
import { openStorage } from '../session/session.ts';
import type { PageProps } from './dashboard.ts';
import { aliasIn, CREATE, LINK_STATISTICS, SHARE } from './router.ts';

type Page = {
  /** Below `/dashboard`: empty for the first one. */
  path: string;
  title: PlainKey;
  component: LazyComponent<PageProps>;
  /** In the navigation, if it is there. */
  icon?: IconName;
};

/** A page, or why it could not be loaded. */
const lazy = (load: () => Promise<ComponentType<PageProps>>, options?: LazyOptions) =>
  lazyComponent(() => load().catch(failPage), options);

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
    component: lazy(async () => (await import('../links/LinksPage.tsx')).LinksPage, {
      isFirst: true,
    }),
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
      async () => (await import('../statistics/StatisticsPage.tsx')).LinkStatisticsPage,
    ),
  },
  {
    path: '/account',
    title: 'account_heading',
    icon: 'account',
    component: lazy(async () => (await import('../account/AccountPage.tsx')).AccountPage),
  },
  { path: CREATE, title: 'create_heading', icon: 'add', component: CreatePage },
  { path: SHARE, title: 'create_heading', component: CreatePage },
];

/** Finds the page at a path below `/dashboard`. */
export function findPage(path: string): Page | undefined {
  return PAGES.find((page) => page.path === (aliasIn(path) === undefined ? path : LINK_STATISTICS));
}

/** In place of a page that could not be loaded. */
function PageFailed() {
  return (
    <FailureNote
      failure={{ title: t('unreachable_title'), text: t('unreachable_text', location.host) }}
      // Browsers may keep the failure of a file until the document is loaded again.
      onRetry={async () => location.reload()}
    />
  );
}

const RELOADED_KEY = 'curt-reloaded';
/** A reload that doesn't help is not repeated: the page says what is wrong. */
const AGAIN_AFTER_MS = 60_000;

/** Whether the page may load itself again. Notes that it does. */
export function mayReload(storage: TokenStorage, nowMs: number): boolean {
  const before = Number(storage.getItem(RELOADED_KEY) ?? 0);
  if (nowMs - before < AGAIN_AFTER_MS) return false;
  storage.setItem(RELOADED_KEY, String(nowMs));
  return true;
}
