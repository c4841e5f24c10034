import { t } from '../../../i18n/translate.ts';
import { AliasSuggestions } from '../../link-form/AliasSuggestions.tsx';
import type { EditState } from '../state/edit-state.ts';

export type SaveBarProps = { state: EditState; onCancel: () => void };

/** Why saving failed, and the buttons of the form. */
export function SaveBar({ state, onCancel }: SaveBarProps) {
  const failure = state.failure.value;
  const isAtFields = failure?.isMarked && failure.code === 'invalid_request';
  return (
    <div class="save-bar">
      <p role="alert">{isAtFields ? t('invalid_request_text') : failure?.text}</p>
      <AliasSuggestions
        aliases={failure?.suggestions}
        buttonClass="tag"
        onChoose={(alias) => state.change({ alias })}
      />
      <button type="submit" class="button primary" aria-disabled={state.isSaving.value}>
        {t(state.isSaving.value ? 'saving' : 'save')}
      </button>
      <button type="button" class="button" onClick={onCancel}>
        {t('cancel')}
      </button>
    </div>
  );
}
