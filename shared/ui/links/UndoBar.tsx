import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n/translate.ts';
import { Icon } from '../Icon.tsx';
import { focusRowInSight } from './rows/focus-row.ts';
import type { LinksState } from './state/links-state.ts';

/** Undoes changes. It stays until it is closed: there is no time limit. */
export function UndoBar({ state }: { state: LinksState }) {
  const { done, undoLast, clear } = state.undo;
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
            {last.text}{' '}
            {last.shortUrl && <bdi dir="ltr">{last.shortUrl.replace(/^https?:\/\//, '')}</bdi>}
          </p>
          <div class="undo-actions">
            {last.undo && (
              <button
                type="button"
                class="button"
                ref={first}
                onClick={() => runAndMoveFocus(undoLast)}
              >
                <Icon name="undo" />
                {t('undo')}
              </button>
            )}
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
