import { t } from '../../i18n/translate.ts';
import { WAIT_TIMER_MAX_SECONDS } from '../../limits.ts';
import { InputField } from '../InputField.tsx';
import type { OptionFieldProps } from './option-field.ts';

/** Seconds that visitors wait on the preview page. */
export function WaitField(props: OptionFieldProps) {
  return (
    <InputField
      {...props}
      label={t('field_wait')}
      hint={t('hint_wait', String(WAIT_TIMER_MAX_SECONDS))}
      class="input short"
      type="number"
      name="waitSeconds"
      min={0}
      max={WAIT_TIMER_MAX_SECONDS}
    />
  );
}
