import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** Attributes for the field's input that associate it with its label, hint and error. */
export type FieldControl = {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
};

export type FieldProps = {
  label: string;
  hint?: string | undefined;
  /** Why the value is invalid. */
  issue?: string | undefined;
  children: (control: FieldControl) => ComponentChildren;
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
