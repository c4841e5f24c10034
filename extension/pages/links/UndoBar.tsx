import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../../shared/i18n/translate.ts';
import { Icon } from '../../../shared/ui/Icon.tsx';
import type { LinksState } from './links-state.ts';
import { focusSearch } from './SearchBar.tsx';

/** Undoes removals. It stays until it is closed: there is no time limit. */
export function UndoBar({ state }: { state: LinksState }) {
  const last = state.removed.value.at(-1);
  const undo = useRef<HTMLButtonElement>(null);
  // The clicked button disappeared with its row.
  useEffect(() => {
    if (last) undo.current?.focus({ preventScroll: true });
  }, [last]);

  /** The bar disappears with its last link, and the focus moves to the search field. */
  async function runAndMoveFocus(act: () => unknown): Promise<void> {
    await act();
    if (state.removed.value.length === 0) focusSearch();
  }

  return (
    <div class="undo-bar" role="status">
      {last && (
        <>
          <p>
            {t('link_removed')} <bdi dir="ltr">{last.shortUrl.replace(/^https?:\/\//, '')}</bdi>
          </p>
          <div class="undo-actions">
            <button
              type="button"
              class="button"
              ref={undo}
              onClick={() => runAndMoveFocus(state.undo)}
            >
              <Icon name="undo" />
              {t('undo')}
            </button>
            <button
              type="button"
              class="button plain"
              onClick={() => runAndMoveFocus(state.clearRemoved)}
            >
              {t('close')}
            </button>
          </div>
        </>
      )}
    </div>
  );
}
