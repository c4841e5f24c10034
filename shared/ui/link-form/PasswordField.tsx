import { useSignal } from '@preact/signals';
import { PASSWORD_MAX_CHARACTERS } from '../../bounds.ts';
import { t } from '../../i18n/translate.ts';
import { Field, type TextFieldProps } from '../Field.tsx';
import { Username } from '../Form.tsx';

type PasswordFieldProps = TextFieldProps & {
  /** Whether it replaces another password. @default false */
  isNew?: boolean;
  disabled?: boolean;
  /** The short URL without its protocol, as the page that asks for the password names it. */
  username: string;
};

/** Renders a password for visitors: the user can show it, to pass it on. */
export function PasswordField({ issue, isNew = false, username, ...input }: PasswordFieldProps) {
  const isShown = useSignal(false);
  // The name starts with the visible text, which users of voice control say (WCAG 2.5.3).
  const label = t(isShown.value ? 'token_hide' : 'token_show');
  return (
    <Field label={t(isNew ? 'field_new_password' : 'field_password')} issue={issue}>
      {(control) => (
        <span class="joined">
          <Username name={username} />
          <input
            {...control}
            {...input}
            {...(isShown.value ? { type: 'text' as const } : { type: 'password' as const })}
            class="input"
            maxLength={PASSWORD_MAX_CHARACTERS}
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
      )}
    </Field>
  );
}
