import { useId } from 'preact/hooks';
import { t } from '../../../i18n/translate.ts';
import { InputField } from '../../InputField.tsx';
import { optionsOf } from '../../link-form/option-field.ts';
import { PasswordField } from '../../link-form/PasswordField.tsx';
import { WaitField } from '../../link-form/WaitField.tsx';
import type { EditState } from '../state/edit-state.ts';

/** What visitors notice: expiry, password, wait, limit and query. */
export function EditorOptions({ state }: { state: EditState }) {
  const fields = state.form.value;
  const issues = state.issues.value;
  const hasPassword = state.edited.value?.hasPassword === true;
  const option = optionsOf(fields, issues, (name, value) => state.change({ [name]: value }));

  return (
    <>
      <InputField
        label={t('field_expiry')}
        hint={t('hint_expiry')}
        type="datetime-local"
        {...option('expiry')}
      />
      <div class="field-group">
        <PasswordField
          {...option('password')}
          isNew={hasPassword}
          disabled={fields.removesPassword}
        />
        {hasPassword && (
          <Checkbox
            label={t('field_remove_password')}
            isChecked={fields.removesPassword}
            onChange={(removesPassword) => state.change({ removesPassword })}
          />
        )}
      </div>
      <WaitField {...option('waitSeconds')} />
      <InputField
        label={t('field_max_visits')}
        hint={t('hint_max_visits')}
        class="input short"
        type="number"
        min={1}
        {...option('maxVisits')}
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
