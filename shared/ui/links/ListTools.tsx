import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n/translate.ts';
import { withoutProtocol } from '../../links/link-address.ts';
import { ConfirmDialog } from '../ConfirmDialog.tsx';
import { Icon } from '../Icon.tsx';
import { QrDialog } from '../qr/QrPanel.tsx';
import { ShareButton } from '../ShareButton.tsx';
import { BulkBar, ConfirmAll } from './BulkBar.tsx';
import { LinkEditor } from './edit/LinkEditor.tsx';
import { focusRowInSight } from './in-sight.ts';
import { KeySheet } from './KeySheet.tsx';
import type { LinksState } from './state/links-state.ts';

// Loaded together: requests take longer than code that is not used yet.
export { rowActions } from './actions.ts';
export { EmptyList, resultText } from './EmptyList.tsx';
export { Filters } from './Filters.tsx';
export { showFirstRow } from './in-sight.ts';
export { keepInAddress, keepPlace } from './keep-address.ts';
export { handleListKey } from './list-keys.ts';

/** Renders the bars and dialogs of a list, which are loaded once its first rows are shown. */
export function ListTools({ state }: { state: LinksState }) {
  const needsTags = state.edited.value !== undefined || state.selected.value.length > 0;
  useEffect(() => {
    if (needsTags) void state.readTags();
  }, [needsTags]);
  return (
    <>
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
      <LinkEditor state={state} />
      <PurgeDialog state={state} />
      <QrDialog link={state.shownQr.value} onClose={() => state.showQr()} />
    </>
  );
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
      onClose={() => state.askToPurge()}
    >
      <p>{t('link_purge_text')}</p>
      <p dir="ltr">{link?.shortUrl}</p>
    </ConfirmDialog>
  );
}

/** Undoes changes. It stays until it is closed: there is no time limit. */
function UndoBar({ state }: { state: LinksState }) {
  const { done, running, undoLast, clear } = state.undo;
  const last = done.value.at(-1);
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (last?.takesFocus) first.current?.focus({ preventScroll: true });
  }, [last]);

  /** The bar disappears with its last change, and the focus moves to the link that it was about. */
  async function runAndMoveFocus(act: () => unknown): Promise<void> {
    const key = last?.key;
    await act();
    if (done.value.length > 0) return;
    if (key !== undefined && state.loading.find(key)) state.want(key);
    else focusRowInSight();
  }

  return (
    <div class="undo-bar" role="status">
      {last && (
        <>
          <p>
            {last.text} {last.shortUrl && <bdi dir="ltr">{withoutProtocol(last.shortUrl)}</bdi>}
          </p>
          <div class="undo-actions">
            {last.undo && (
              <button
                type="button"
                class="button"
                ref={first}
                aria-disabled={running.value > 0}
                onClick={() => runAndMoveFocus(undoLast)}
              >
                <Icon name="undo" />
                {t('undo')}
              </button>
            )}
            {last.isNew && <ShareButton url={last.shortUrl} />}
            <button
              type="button"
              class="button plain"
              ref={last.undo ? null : first}
              onClick={() => runAndMoveFocus(clear)}
            >
              {t('close')}
            </button>
          </div>
        </>
      )}
    </div>
  );
}
