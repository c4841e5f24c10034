import { useSignal } from '@preact/signals';
import { t } from '../../i18n/translate.ts';
import type { FieldControl } from '../Field.tsx';

export type PasswordFieldProps = {
  control: FieldControl;
  value: string;
  maxLength: number;
  onInput: (event: { currentTarget: { value: string } }) => void;
};

/** A password for visitors: the user can show it, to pass it on. */
export function PasswordField({ control, value, maxLength, onInput }: PasswordFieldProps) {
  const isShown = useSignal(false);
  // The name starts with the visible text, which users of voice control say (WCAG 2.5.3).
  const label = t(isShown.value ? 'token_hide' : 'token_show');
  return (
    <span class="joined">
      <input
        {...control}
        class="input"
        {...(isShown.value ? { type: 'text' as const } : { type: 'password' as const })}
        value={value}
        onInput={onInput}
        maxLength={maxLength}
        autocomplete="new-password"
        spellcheck={false}
      />
      <button
        type="button"
        class="button"
        aria-label={t('label_of', label, t('field_password'))}
        onClick={() => {
          isShown.value = !isShown.value;
        }}
      >
        {label}
      </button>
    </span>
  );
}
