import { useId } from 'preact/hooks';

export type CheckboxProps = {
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
