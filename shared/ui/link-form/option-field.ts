/** What the field of an option gets from its form. */
export type OptionFieldProps = {
  name: string;
  issue: string | undefined;
  value: string;
  onInput: (event: { currentTarget: { value: string } }) => void;
};

/** The names of the fields whose value is any text. */
type TextName<Fields> = {
  [K in keyof Fields & string]: string extends Fields[K] ? K : never;
}[keyof Fields & string];

/** Returns a function that has the properties of a form's text fields, by name. */
export function optionsOf<Fields>(
  fields: Fields,
  issues: { [K in keyof Fields]?: string },
  change: (name: TextName<Fields>, value: string) => void,
): (name: TextName<Fields>) => OptionFieldProps {
  return (name) => ({
    name,
    issue: issues[name],
    value: fields[name] as string,
    onInput: (event) => change(name, event.currentTarget.value),
  });
}
