import { useId } from 'preact/hooks';
import { t } from '../../../shared/i18n/translate.ts';
import { InputField } from '../../../shared/ui/InputField.tsx';
import type { CreateState } from './create-state.ts';

/** Tags, visit limit, and whether the query is passed on. */
export function MoreOptions({ state }: { state: CreateState }) {
  const id = useId();
  const { tags, maxVisits, forwardQuery } = state.more.value;
  const issues = state.issues.value;
  return (
    <>
      <InputField
        label={t('field_tags')}
        hint={t('hint_new_tags')}
        issue={issues.tags}
        name="tags"
        dir="auto"
        value={tags}
        onInput={(event) => state.changeMore('tags', event.currentTarget.value)}
        autocomplete="off"
      />
      <InputField
        label={t('field_max_visits')}
        hint={t('hint_max_visits')}
        issue={issues.maxVisits}
        class="input short"
        name="max-visits"
        inputMode="numeric"
        value={maxVisits}
        onInput={(event) => state.changeMore('maxVisits', event.currentTarget.value)}
        autocomplete="off"
      />
      <div class="toggle">
        <input
          type="checkbox"
          id={id}
          checked={forwardQuery}
          onChange={(event) => state.changeMore('forwardQuery', event.currentTarget.checked)}
        />
        <label class="label" for={id}>
          {t('field_forward_query')}
        </label>
        <p class="hint">{t('hint_forward_query')}</p>
      </div>
    </>
  );
}
