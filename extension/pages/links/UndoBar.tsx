import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n/translate.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { LinksState } from './links-state.ts';
import { focusSearch } from './SearchBar.tsx';

/** Takes a removal back. It stays for as long as it is wanted: nobody has to be quick. */
export function RemovedBar({ state }: { state: LinksState }) {
  const last = state.removed.value.at(-1);
  const undo = useRef<HTMLButtonElement>(null);
  // The button that was pressed has gone with its row.
  useEffect(() => {
    if (last) undo.current?.focus({ preventScroll: true });
  }, [last]);

  /** The bar's buttons go with the last link in it. */
  async function leaveAfter(act: () => unknown): Promise<void> {
    await act();
    if (state.removed.value.length === 0) focusSearch();
  }

  return (
    <div class="removed" role="status">
      {last && (
        <>
          <p>
            {t('link_removed')} <bdi dir="ltr">{last.shortUrl.replace(/^https?:\/\//, '')}</bdi>
          </p>
          <div class="removed-actions">
            <button type="button" class="button" ref={undo} onClick={() => leaveAfter(state.undo)}>
              <Icon name="undo" />
              {t('undo')}
            </button>
            <button
              type="button"
              class="button plain"
              onClick={() => leaveAfter(state.clearRemoved)}
            >
              {t('close')}
            </button>
          </div>
        </>
      )}
    </div>
  );
}
