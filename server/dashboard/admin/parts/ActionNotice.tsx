import { t } from '../../../../shared/i18n/translate.ts';
import { FailureNote } from '../../../../shared/ui/FailureNote.tsx';
import type { Actions } from './actions.ts';

/** What was done, with a button that takes it back if that is possible. */
export function ActionNotice({ actions }: { actions: Actions }) {
  const notice = actions.notice.value;
  return (
    <>
      <FailureNote failure={actions.failure.value} />
      <div role="status">
        {notice && (
          <div class="card">
            <p dir="auto">{notice.text}</p>
            {notice.undo && (
              <div class="buttons">
                <button type="button" class="button" onClick={actions.undo}>
                  {t('undo')}
                </button>
              </div>
            )}
          </div>
        )}
      </div>
    </>
  );
}
