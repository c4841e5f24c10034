/** Attributes for the field's input that associate it with its label, hint and error. */
export type FieldControl = {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
};

export type Choice<V extends string | number = string> = { value: V; label: string };

export type SelectProps<V extends string | number> = Partial<FieldControl> & {
  'aria-label'?: string;
  name?: string;
  disabled?: boolean;
  options: readonly Choice<V>[];
  value: V;
  onChoose(value: V): unknown;
};

/** Renders a `<select>`, which says which value was chosen, not which text. */
export function Select<V extends string | number>({
  options,
  value,
  onChoose,
  ...select
}: SelectProps<V>) {
  return (
    <select
      class="input"
      {...select}
      value={value}
      onChange={({ currentTarget }) => {
        const chosen = options[currentTarget.selectedIndex];
        if (chosen) onChoose(chosen.value);
      }}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
