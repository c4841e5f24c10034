import type { ComponentProps } from 'preact';
import { Field, type FieldProps } from './Field.tsx';

export type InputFieldProps = Omit<FieldProps, 'children'> &
  ComponentProps<'input'> & {
    /** For a URL, a token or a name in code, which no keyboard should correct. @default prose */
    isCode?: boolean;
  };

const CODE = { dir: 'ltr', autocapitalize: 'off', spellcheck: false } as const;

/** An `<input>` with its label, hint and error. Other properties are those of the element. */
export function InputField({ label, hint, issue, isCode, ...input }: InputFieldProps) {
  return (
    <Field label={label} hint={hint} issue={issue}>
      {(control) => (
        <input class="input" autocomplete="off" {...(isCode && CODE)} {...input} {...control} />
      )}
    </Field>
  );
}
