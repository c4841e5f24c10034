import type { ComponentChildren, ComponentProps } from 'preact';
import { useId } from 'preact/hooks';
import { type FieldControl, Select, type SelectProps } from './Select.tsx';
import { UrlInput } from './UrlInput.tsx';

type FieldProps = {
  label: string;
  hint?: string | undefined;
  /** Why the value is invalid. */
  issue?: string | undefined;
  children: (control: FieldControl) => ComponentChildren;
};

/** What a field with text gets from its form. */
export type TextFieldProps = {
  name: string;
  issue: string | undefined;
  value: string;
  onInput: (event: { currentTarget: { value: string } }) => void;
};

export function Field({ label, hint, issue, children }: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, issue && `${id}-issue`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': issue ? true : undefined,
      })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {issue && (
        <p class="issue" id={`${id}-issue`}>
          {issue}
        </p>
      )}
    </div>
  );
}

type InputFieldProps = Omit<FieldProps, 'children'> &
  ComponentProps<'input'> & {
    /** For a URL, a token or a name in code, which no keyboard should correct. @default prose */
    isCode?: boolean;
    /** For one URL, as typed or pasted. @default any text */
    isUrl?: boolean;
  };

const CODE = { dir: 'ltr', autocapitalize: 'off', spellcheck: false } as const;

/** Renders an `<input>` with its label, hint and error. Other properties are those of the element. */
export function InputField({ label, hint, issue, isCode, isUrl, ...input }: InputFieldProps) {
  return (
    <Field label={label} hint={hint} issue={issue}>
      {(control) =>
        isUrl ? (
          <UrlInput {...input} {...control} />
        ) : (
          <input class="input" autocomplete="off" {...(isCode && CODE)} {...input} {...control} />
        )
      }
    </Field>
  );
}

type Texts = Omit<FieldProps, 'children'>;
type SelectFieldProps<V extends string | number> = Texts & SelectProps<V>;

/** Renders a `Select` with its label, hint and error. */
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

type CheckboxProps = {
  label: string;
  hint?: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
};

export function Checkbox({ label, hint, isChecked, onChange }: CheckboxProps) {
  const id = useId();
  return (
    <span class="checkbox">
      <input
        type="checkbox"
        id={id}
        checked={isChecked}
        onChange={(event) => onChange(event.currentTarget.checked)}
        aria-describedby={hint && `${id}-hint`}
      />
      <label for={id}>{label}</label>
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </span>
  );
}
