import type { ComponentProps } from 'preact';
import { Field, type FieldProps } from './Field.tsx';
import { pasteUrl } from './paste-url.ts';

export type InputFieldProps = Omit<FieldProps, 'children'> &
  ComponentProps<'input'> & {
    /** For a URL, a token or a name in code, which no keyboard should correct. @default prose */
    isCode?: boolean;
    /** For one URL, as typed or pasted. @default any text */
    isUrl?: boolean;
  };

const CODE = { dir: 'ltr', autocapitalize: 'off', spellcheck: false } as const;
const URL_INPUT = { ...CODE, inputMode: 'url', onPaste: pasteUrl } as const;

/** An `<input>` with its label, hint and error. Other properties are those of the element. */
export function InputField({ label, hint, issue, isCode, isUrl, ...input }: InputFieldProps) {
  return (
    <Field label={label} hint={hint} issue={issue}>
      {(control) => (
        <input
          class="input"
          autocomplete="off"
          {...(isCode && CODE)}
          {...(isUrl && URL_INPUT)}
          {...input}
          {...control}
        />
      )}
    </Field>
  );
}
