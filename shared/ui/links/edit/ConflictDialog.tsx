import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../../i18n/translate.ts';
import type { EditState } from '../state/edit-state.ts';
import { conflictRows } from './conflict-rows.ts';

/** Shows what was changed here and elsewhere, and lets the user choose. */
export function ConflictDialog({ state }: { state: EditState }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const conflict = state.conflict.value;
  useEffect(() => {
    if (conflict) dialog.current?.showModal();
  }, [conflict]);
  if (!conflict) return null;

  function settle(act: () => unknown): void {
    act();
    dialog.current?.close();
  }

  return (
    <dialog
      ref={dialog}
      class="dialog conflict"
      aria-labelledby="conflict-title"
      aria-describedby="conflict-text"
      onClose={state.dismissConflict}
    >
      <h2 id="conflict-title">{t('conflict_title')}</h2>
      <p id="conflict-text">{t('conflict_text')}</p>
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">{t('conflict_mine')}</th>
            <th scope="col">{t('conflict_theirs')}</th>
          </tr>
        </thead>
        <tbody>
          {conflictRows(conflict).map(({ label, mine, theirs }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td dir="auto">{mine}</td>
              <td dir="auto">{theirs}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class="buttons">
        <button type="button" class="button primary" onClick={() => settle(state.keepMine)}>
          {t('conflict_keep')}
        </button>
        <button type="button" class="button" onClick={() => settle(state.takeTheirs)}>
          {t('conflict_take')}
        </button>
        <button type="button" class="button plain" onClick={() => dialog.current?.close()}>
          {t('cancel')}
        </button>
      </div>
    </dialog>
  );
}
