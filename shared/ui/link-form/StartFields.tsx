import { t } from '../../i18n/translate.ts';
import { InputField } from '../InputField.tsx';
import { Checkbox } from './Checkbox.tsx';
import type { FormFields } from './form-fields.ts';
import { LOCAL_TIME_INPUT } from './local-time.ts';

type Start = Pick<FormFields, 'startsAt' | 'hideUntilStart'>;

export type StartFieldsProps = {
  fields: Start;
  issue: string | undefined;
  onChange: <K extends keyof Start>(name: K, value: FormFields[K]) => void;
};

/** When a link begins to work, and whether visitors learn of it before. */
export function StartFields({ fields, issue, onChange }: StartFieldsProps) {
  const { startsAt, hideUntilStart } = fields;
  return (
    <div class="field-group">
      <InputField
        label={t('field_starts_at')}
        hint={t('hint_starts_at')}
        issue={issue}
        name="startsAt"
        {...LOCAL_TIME_INPUT}
        value={startsAt}
        onInput={(event) => onChange('startsAt', event.currentTarget.value)}
      />
      {(startsAt !== '' || hideUntilStart) && (
        <Checkbox
          label={t('field_hide_until_start')}
          hint={t('hint_hide_until_start')}
          isChecked={hideUntilStart}
          onChange={(isHidden) => onChange('hideUntilStart', isHidden)}
        />
      )}
    </div>
  );
}
