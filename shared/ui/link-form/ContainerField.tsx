import { t } from '../../i18n/translate.ts';
import { InputField } from '../InputField.tsx';
import type { OptionFieldProps } from './option-field.ts';

/** A Tag Manager container for the preview page. */
export function ContainerField(props: OptionFieldProps) {
  return (
    <InputField
      {...props}
      label={t('field_container')}
      hint={t('hint_container')}
      autocomplete="off"
      spellcheck={false}
    />
  );
}
