import { useEffect, useLayoutEffect } from 'preact/hooks';
import { t } from '../../i18n/translate.ts';
import { Announcement } from '../Announcement.tsx';
import { ConfirmDialog } from '../ConfirmDialog.tsx';
import { lazy } from '../lazy.ts';
import { BulkBar } from './bulk/BulkBar.tsx';
import { ConfirmAll } from './bulk/ConfirmAll.tsx';
import { formatTotal } from './count-text.ts';
import { EmptyState, emptyText } from './EmptyState.tsx';
import { KeySheet } from './keys/KeySheet.tsx';
import { handleListKey } from './list-keys.ts';
import { NewLinkBar } from './NewLinkBar.tsx';
import { QrDialog } from './QrDialog.tsx';
import { LinkRows } from './rows/LinkRows.tsx';
import { rowActions } from './rows/row-actions.ts';
import { SearchBar } from './SearchBar.tsx';
import type { LinksState } from './state/links-state.ts';
import { UndoBar } from './UndoBar.tsx';

const LinkEditor = lazy(async () => (await import('./edit/LinkEditor.tsx')).LinkEditor);

export type LinkListProps = {
  state: LinksState;
  /** Whether links are about to be added, so that an empty list is not the end of it. */
  isFilling?: boolean;
};

/** The list of links with everything that can be done with it, in the dashboard and the extension. */
export function LinkList({ state, isFilling = false }: LinkListProps) {
  const { loading, editing } = state;
  const copied = state.copied.value;
  const failure = state.failure.value ?? loading.failure.value;
  // Not after the next frame: keys work as soon as the list is there.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) =>
      handleListKey(event, {
        rowActions: (index) => {
          const link = loading.links.value[index];
          return link ? rowActions(link, state) : [];
        },
        undo: () => void state.undo.undoLast(),
        showKeys: () => state.showKeys(true),
      });
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [state]);
  const needsTags = editing.edited.value !== undefined || state.selected.value.length > 0;
  useEffect(() => {
    if (needsTags) void state.readTags();
  }, [needsTags]);
  const hasLinks = loading.links.value.length > 0;
  const isEmpty = !hasLinks && !loading.isLoading.value && !isFilling && !failure;

  const isFirst = isEmpty && !loading.isFiltered.value;

  return (
    <div class="link-list">
      <div role="alert" class="error-message">
        {failure}
        {copied && !copied.isCopied && t('link_not_copied')}
      </div>
      {loading.failure.value && (
        <button type="button" class="button" onClick={() => void loading.refresh()}>
          {t('try_again')}
        </button>
      )}
      <p class="visually-hidden" role="status">
        {copied?.isCopied && t('short_link_copied')}
      </p>
      <div class="list-notices" role="status">
        {state.notices.value.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
      {state.newLink && (
        <NewLinkBar state={state.newLink} formUrl={state.newLinkFormUrl} isFirst={isFirst} />
      )}
      <SearchBar state={state} />
      <Announcement
        number={loading.results.value}
        text={!loading.isLoading.value && !failure && resultText(state)}
      />
      {hasLinks && <LinkRows state={state} />}
      {!hasLinks && loading.isLoading.value && <div class="list-skeleton" aria-hidden="true" />}
      {isEmpty && <EmptyState state={state} />}
      <div class="list-bars">
        <BulkBar state={state} />
        <UndoBar state={state} />
      </div>
      <KeySheet
        isOpen={state.areKeysShown.value}
        hasNewLink={state.newLink !== undefined}
        onClose={() => state.showKeys(false)}
      />
      <ConfirmAll changer={state.allChanger} />
      <LinkEditor state={editing} knownTags={state.knownTags.value} domains={state.domains.value} />
      <PurgeDialog state={state} />
      <QrDialog link={state.shownQr.value} onClose={() => state.showQr(undefined)} />
    </div>
  );
}

/** What a search has found: its words, and how many links or that there are none. */
function resultText({ loading }: LinksState): string | undefined {
  const words = loading.words.value.trim();
  if (loading.links.value.length === 0) return emptyText(loading);
  const total = loading.total.value && formatTotal(loading.total.value);
  return words && total ? t('label_of', words, total) : total;
}

/** Asks whether to erase a deleted link for good. */
function PurgeDialog({ state }: { state: LinksState }) {
  const link = state.purged.value;
  return (
    <ConfirmDialog
      isOpen={link !== undefined}
      title={t('link_purge_question')}
      confirm={t('link_purge')}
      isDanger
      onConfirm={() => link && void state.purge(link)}
      onClose={() => state.requestPurge(undefined)}
    >
      <p>{t('link_purge_text')}</p>
      <p dir="ltr">{link?.shortUrl}</p>
    </ConfirmDialog>
  );
}
