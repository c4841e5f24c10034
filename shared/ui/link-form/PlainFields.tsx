import { t } from '../../i18n/translate.ts';
import { definitionOf, type FormName, PLAIN_NAMES, type PlainField } from '../../links/fields.ts';
import { Field } from '../Field.tsx';
import { InputField } from '../InputField.tsx';
import { Checkbox } from './Checkbox.tsx';
import type { FieldInputs, InputIssues } from './field-inputs.ts';
import { TagsField } from './TagsField.tsx';

export type PlainFieldsProps = {
  form: FormName;
  inputs: FieldInputs;
  issues: InputIssues;
  /** Gets a value of the field's type. */
  onChange: (name: PlainField, value: never) => void;
  /** Suggestions. @default none */
  knownTags?: string[];
};

/** The plain fields that a form has, in the order of their table. */
export function PlainFields({ form, ...props }: PlainFieldsProps) {
  return PLAIN_NAMES.filter((name) => definitionOf(name).forms.includes(form)).map((name) => (
    <PlainFieldControl key={name} name={name} {...props} />
  ));
}

type ControlProps = Omit<PlainFieldsProps, 'form'> & { name: PlainField };

function PlainFieldControl({ name, inputs, issues, onChange, knownTags = [] }: ControlProps) {
  const definition = definitionOf(name);
  const label = t(definition.label);
  const change = (value: FieldInputs[PlainField]) => onChange(name, value as never);
  const input = {
    name,
    value: String(inputs[name]),
    onInput: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value),
  };
  const about = { label, issue: issues[name] };
  switch (definition.control) {
    case 'line':
      return <InputField {...about} {...input} dir="auto" maxLength={definition.maxCharacters} />;
    case 'text':
      return (
        <div class="wide">
          <Field {...about}>
            {(control) => (
              <textarea
                {...control}
                {...input}
                class="input"
                dir="auto"
                maxLength={definition.maxCharacters}
              />
            )}
          </Field>
        </div>
      );
    case 'code':
      return <InputField {...about} {...input} hint={t(definition.hint)} spellcheck={false} />;
    case 'number':
      return (
        <InputField
          {...about}
          {...input}
          hint={t(definition.hint, String(definition.max))}
          class="input short"
          type="number"
          min={0}
          max={definition.max}
        />
      );
    case 'tags':
      return (
        <TagsField {...about} tags={inputs[name] as string[]} known={knownTags} onChange={change} />
      );
    case 'switch':
      return (
        <Checkbox
          label={label}
          hint={t(definition.hint)}
          isChecked={inputs[name] as boolean}
          onChange={change}
        />
      );
  }
}
