import { t } from '../../../i18n/translate.ts';
import { InputField } from '../../InputField.tsx';
import { Checkbox } from '../../link-form/Checkbox.tsx';
import { LOCAL_TIME_INPUT } from '../../link-form/local-time.ts';
import { optionsOf } from '../../link-form/option-field.ts';
import { PasswordField } from '../../link-form/PasswordField.tsx';
import { StartFields } from '../../link-form/StartFields.tsx';
import type { EditState } from '../state/edit-state.ts';

/** Start, expiry, password and visit limit. */
export function EditorOptions({ state }: { state: EditState }) {
  const fields = state.form.value;
  const issues = state.issues.value;
  const hasPassword = state.edited.value?.hasPassword === true;
  const option = optionsOf(fields, issues, (name, value) => state.change({ [name]: value }));

  return (
    <>
      <StartFields
        fields={fields}
        issue={issues.startsAt}
        onChange={(name, value) => state.change({ [name]: value })}
      />
      <InputField
        label={t('field_expiry')}
        hint={t('hint_expiry')}
        {...LOCAL_TIME_INPUT}
        {...option('expiry')}
      />
      <div class="field-group">
        <PasswordField
          {...option('password')}
          username={`${fields.domain}/${fields.alias}`}
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
      <InputField
        label={t('field_max_visits')}
        hint={t('hint_max_visits')}
        class="input short"
        type="number"
        min={1}
        {...option('maxVisits')}
      />
    </>
  );
}
