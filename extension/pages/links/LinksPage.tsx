import { t } from '../../../shared/i18n/translate.ts';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { LinkList } from '../../../shared/ui/links/LinkList.tsx';
import type { LinksState } from '../../../shared/ui/links/state/links-state.ts';
import type { Account } from '../../messaging/protocol.ts';
import { Servers, serverUrl } from '../../ui/server/Servers.tsx';
import { LINKS_PAGE, OPTIONS_PAGE, STATISTICS_PAGE } from '../../urls/extension-pages.ts';
import { FilesMenu } from './files/FilesMenu.tsx';
import type { FilesState } from './files/files-state.ts';
import { ImportResult } from './files/ImportResult.tsx';

export type LinksPageProps = {
  state: LinksState;
  files: FilesState;
  serverOrigin: string;
  /** Those in use. */
  accounts: Account[];
};

/** The links of an account. */
export function LinksPage({ state, files, serverOrigin, accounts }: LinksPageProps) {
  return (
    <main class="page">
      <header class="head">
        <img class="mark" src="/icon/96.png" alt="" />
        <h1>{t('links_title')}</h1>
        <FilesMenu state={files} isEmpty={state.loading.links.value.length === 0} />
        <a class="button plain" href={serverUrl(STATISTICS_PAGE, serverOrigin)}>
          <Icon name="statistics" />
          {t('nav_statistics')}
        </a>
        <a class="button plain" href={OPTIONS_PAGE}>
          <Icon name="settings" />
          {t('settings')}
        </a>
      </header>
      <Servers page={LINKS_PAGE} accounts={accounts} shown={serverOrigin} />
      <ImportResult state={files} />
      <LinkList state={state} isFilling={files.isBusy.value} />
    </main>
  );
}
