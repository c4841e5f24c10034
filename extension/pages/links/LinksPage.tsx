import { useEffect } from 'preact/hooks';
import { t } from '../../../shared/i18n/translate.ts';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { OPTIONS_PAGE } from '../../address/extension-pages.ts';
import { errorText } from '../../i18n/error-text.ts';
import { formatDropped } from './count-text.ts';
import { EmptyState } from './EmptyState.tsx';
import { FilesMenu } from './files/FilesMenu.tsx';
import type { FilesState } from './files/files-state.ts';
import { ImportStatus } from './files/ImportStatus.tsx';
import type { LinksState } from './links-state.ts';
import { handleListKey } from './list-keys.ts';
import { QrDialog } from './QrDialog.tsx';
import { LinkRows } from './rows/LinkRows.tsx';
import { SearchBar } from './SearchBar.tsx';
import { UndoBar } from './UndoBar.tsx';

export type LinksPageProps = { state: LinksState; files: FilesState };

export function LinksPage({ state, files }: LinksPageProps) {
  const { droppedCount } = state.list.value;
  const copied = state.copied.value;
  const failure = state.failure.value;
  const error = failure && errorText(failure);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => handleListKey(event, () => void state.undo());
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [state]);
  return (
    <main class="page">
      <header class="head">
        <img class="mark" src="/icon/96.png" alt="" />
        <h1>{t('links_title')}</h1>
        <FilesMenu state={files} links={state.links.value} />
        <a class="button plain" href={OPTIONS_PAGE}>
          <Icon name="settings" />
          {t('settings')}
        </a>
      </header>
      <div role="alert" class="error-message">
        {error && t('title_and_text', error.title, error.text)}
        {copied && !copied.isCopied && t('link_not_copied')}
      </div>
      <p class="visually-hidden" role="status">
        {copied?.isCopied && t('short_link_copied')}
      </p>
      <ImportStatus state={files} />
      {droppedCount > 0 && <p class="dropped">{formatDropped(droppedCount)}</p>}
      <SearchBar state={state} />
      {state.found.value.length > 0 && <LinkRows state={state} />}
      {state.found.value.length === 0 && !files.isBusy.value && <EmptyState state={state} />}
      <UndoBar state={state} />
      <QrDialog link={state.shownQr.value} onClose={() => state.showQr(undefined)} />
    </main>
  );
}
