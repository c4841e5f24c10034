import { useSignal } from '@preact/signals';
import { t } from '../../../i18n/translate.ts';
import type { FieldControl } from '../../../ui/Field.tsx';

export type PasswordFieldProps = {
  control: FieldControl;
  value: string;
  maxLength: number;
  onInput: (event: { currentTarget: { value: string } }) => void;
};

/** A password for others: whoever sets it must be able to read it, to pass it on. */
export function PasswordField({ control, value, maxLength, onInput }: PasswordFieldProps) {
  const isShown = useSignal(false);
  // Its name holds what is read on it: whoever speaks to the browser says that.
  const word = t(isShown.value ? 'token_hide' : 'token_show');
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
        aria-label={`${word}: ${t('field_password')}`}
        onClick={() => {
          isShown.value = !isShown.value;
        }}
      >
        {word}
      </button>
    </span>
  );
}
