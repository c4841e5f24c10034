import { t } from '../../../shared/i18n/translate.ts';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { LinkList } from '../../../shared/ui/links/LinkList.tsx';
import type { LinksState } from '../../../shared/ui/links/state/links-state.ts';
import { OPTIONS_PAGE, STATISTICS_PAGE } from '../../address/extension-pages.ts';
import { FilesMenu } from './files/FilesMenu.tsx';
import type { FilesState } from './files/files-state.ts';
import { ImportStatus } from './files/ImportStatus.tsx';
import type { MessageLinkSource } from './message-link-source.ts';

export type LinksPageProps = {
  state: LinksState;
  files: FilesState;
  source: Pick<MessageLinkSource, 'list'>;
};

export function LinksPage({ state, files, source }: LinksPageProps) {
  return (
    <main class="page">
      <header class="head">
        <img class="mark" src="/icon/96.png" alt="" />
        <h1>{t('links_title')}</h1>
        <FilesMenu state={files} links={source.list.value.links} />
        <a class="button plain" href={STATISTICS_PAGE}>
          <Icon name="statistics" />
          {t('nav_statistics')}
        </a>
        <a class="button plain" href={OPTIONS_PAGE}>
          <Icon name="settings" />
          {t('settings')}
        </a>
      </header>
      <ImportStatus state={files} />
      <LinkList state={state} isFilling={files.isBusy.value} />
    </main>
  );
}
