import { t } from '../../i18n/translate.ts';
import { TITLE_MAX_CHARACTERS } from '../../limits.ts';
import { InputField } from '../InputField.tsx';
import type { OptionFieldProps } from './option-field.ts';

export function TitleField(props: OptionFieldProps) {
  return (
    <InputField {...props} label={t('field_title')} dir="auto" maxLength={TITLE_MAX_CHARACTERS} />
  );
}
