import { Field, type FieldProps } from './Field.tsx';
import { Select, type SelectProps } from './Select.tsx';

type Texts = Omit<FieldProps, 'children'>;
export type SelectFieldProps<V extends string | number> = Texts & SelectProps<V>;

/** A `Select` with its label, hint and error. */
export function SelectField<V extends string | number>({
  label,
  hint,
  issue,
  ...select
}: SelectFieldProps<V>) {
  return (
    <Field label={label} hint={hint} issue={issue}>
      {(control) => <Select {...select} {...control} />}
    </Field>
  );
}
