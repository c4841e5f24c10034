import type { ComponentProps } from 'preact';
import { Field, type FieldProps } from './Field.tsx';

export type InputFieldProps = Omit<FieldProps, 'children'> & ComponentProps<'input'>;

/** An `<input>` with its label, hint and error. Other properties are those of the element. */
export function InputField({ label, hint, issue, ...input }: InputFieldProps) {
  return (
    <Field label={label} hint={hint} issue={issue}>
      {(control) => <input class="input" {...input} {...control} />}
    </Field>
  );
}
