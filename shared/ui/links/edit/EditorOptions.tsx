import { useId } from 'preact/hooks';
import { t } from '../../../i18n/translate.ts';
import { PASSWORD_MAX_CHARACTERS, WAIT_TIMER_MAX_SECONDS } from '../../../limits.ts';
import { InputField } from '../../InputField.tsx';
import type { EditState } from '../state/edit-state.ts';
import type { LinkForm } from './link-form.ts';

/** What visitors notice: expiry, password, wait, limit and query. */
export function EditorOptions({ state }: { state: EditState }) {
  const fields = state.form.value;
  const issues = state.issues.value;
  const hasPassword = state.edited.value?.hasPassword === true;
  const change = (name: keyof LinkForm) => (event: Event) =>
    state.change({ [name]: (event.currentTarget as HTMLInputElement).value });

  return (
    <>
      <InputField
        label={t('field_expiry')}
        hint={t('hint_expiry')}
        issue={issues.expiry}
        type="datetime-local"
        name="expiry"
        value={fields.expiry}
        onInput={change('expiry')}
      />
      <div class="field-group">
        <InputField
          label={t(hasPassword ? 'field_new_password' : 'field_password')}
          issue={issues.password}
          type="password"
          value={fields.password}
          onInput={change('password')}
          disabled={fields.removesPassword}
          maxLength={PASSWORD_MAX_CHARACTERS}
          autocomplete="new-password"
        />
        {hasPassword && (
          <Checkbox
            label={t('field_remove_password')}
            isChecked={fields.removesPassword}
            onChange={(removesPassword) => state.change({ removesPassword })}
          />
        )}
      </div>
      <InputField
        label={t('field_wait')}
        hint={t('hint_wait', String(WAIT_TIMER_MAX_SECONDS))}
        issue={issues.waitSeconds}
        type="number"
        name="waitSeconds"
        min={0}
        max={WAIT_TIMER_MAX_SECONDS}
        value={fields.waitSeconds}
        onInput={change('waitSeconds')}
      />
      <InputField
        label={t('field_max_visits')}
        hint={t('hint_max_visits')}
        issue={issues.maxVisits}
        type="number"
        name="maxVisits"
        min={1}
        value={fields.maxVisits}
        onInput={change('maxVisits')}
      />
      <Checkbox
        label={t('field_forward_query')}
        hint={t('hint_forward_query')}
        isChecked={fields.forwardQuery}
        onChange={(forwardQuery) => state.change({ forwardQuery })}
      />
    </>
  );
}

type CheckboxProps = {
  label: string;
  hint?: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
};

function Checkbox({ label, hint, isChecked, onChange }: CheckboxProps) {
  const id = useId();
  return (
    <span class="checkbox">
      <input
        type="checkbox"
        id={id}
        checked={isChecked}
        onChange={(event) => onChange(event.currentTarget.checked)}
        aria-describedby={hint && `${id}-hint`}
      />
      <label for={id}>{label}</label>
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </span>
  );
}
