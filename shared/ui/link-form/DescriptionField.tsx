import { t } from '../../i18n/translate.ts';
import { DESCRIPTION_MAX_CHARACTERS } from '../../limits.ts';
import { Field } from '../Field.tsx';
import type { OptionFieldProps } from './option-field.ts';

export function DescriptionField({ issue, ...input }: OptionFieldProps) {
  return (
    <Field label={t('field_description')} issue={issue}>
      {(control) => (
        <textarea
          {...control}
          {...input}
          class="input"
          dir="auto"
          maxLength={DESCRIPTION_MAX_CHARACTERS}
        />
      )}
    </Field>
  );
}
