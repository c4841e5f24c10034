import { useSignal } from '@preact/signals';
import type { FieldControl } from '../Field.tsx';
import { t } from '../i18n.ts';

export type PasswordFieldProps = {
  control: FieldControl;
  value: string;
  maxLength: number;
  onInput: (event: { currentTarget: { value: string } }) => void;
};

/** A password for others: whoever sets it must be able to read it, to pass it on. */
export function PasswordField({ control, value, maxLength, onInput }: PasswordFieldProps) {
  const isShown = useSignal(false);
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
        aria-pressed={isShown.value}
        aria-label={t('show_password')}
        onClick={() => {
          isShown.value = !isShown.value;
        }}
      >
        {t(isShown.value ? 'token_hide' : 'token_show')}
      </button>
    </span>
  );
}
