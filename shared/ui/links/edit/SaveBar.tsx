import { t } from '../../../i18n/translate.ts';
import type { EditState } from '../state/edit-state.ts';

export type SaveBarProps = { state: EditState; onCancel: () => void };

/** Why saving failed, and the buttons of the form. */
export function SaveBar({ state, onCancel }: SaveBarProps) {
  const failure = state.failure.value;
  return (
    <div class="save-bar">
      <p role="alert">{failure?.text}</p>
      {failure?.suggestions && failure.suggestions.length > 0 && (
        <fieldset class="suggestions" aria-label={t('available_aliases')}>
          {failure.suggestions.map((alias) => (
            <button
              type="button"
              class="tag"
              key={alias}
              aria-label={t('use_alias', alias)}
              onClick={() => state.change({ alias })}
            >
              {alias}
            </button>
          ))}
        </fieldset>
      )}
      <button type="submit" class="button primary" aria-disabled={state.isSaving.value}>
        {t(state.isSaving.value ? 'saving' : 'save')}
      </button>
      <button type="button" class="button" onClick={onCancel}>
        {t('cancel')}
      </button>
    </div>
  );
}
