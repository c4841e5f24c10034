import { t } from '../../i18n/translate.ts';
import {
  definitionOf,
  isEmpty,
  isPlainField,
  mapFields,
  PLAIN_NAMES,
  type PlainField,
  type PlainValues,
} from '../../links/fields.ts';
import { fitLine, fitText } from '../../links/truncate.ts';

/** The values of the plain fields as controls have them: numbers are text. */
export type FieldInputs = {
  [K in PlainField]: PlainValues[K] extends boolean | string[] ? PlainValues[K] : string;
};
export type InputIssues = { [K in PlainField]?: string };

/** The inputs of a form that was not filled in. */
export const EMPTY_INPUTS = mapFields<FieldInputs>((_, { control }) =>
  control === 'switch' ? false : control === 'tags' ? [] : '',
);

export function toInputs(values: PlainValues): FieldInputs {
  return mapFields((name, { control }) =>
    control === 'switch' || control === 'tags' ? values[name] : String(values[name] ?? ''),
  );
}

/** What a new link gets: fields without input have their defaults. */
export function newFields(inputs: FieldInputs) {
  const values = PLAIN_NAMES.map((name) => [name, toValue(name, inputs[name])] as const);
  return Object.fromEntries(values.filter(([, value]) => !isEmpty(value))) as {
    [K in PlainField]?: NonNullable<PlainValues[K]>;
  };
}

/** What was changed, compared with how the form was filled in. */
export function changedFields(inputs: FieldInputs, before: FieldInputs): Partial<PlainValues> {
  const names = PLAIN_NAMES.filter(
    (name) => JSON.stringify(inputs[name]) !== JSON.stringify(before[name]),
  );
  return Object.fromEntries(names.map((name) => [name, toValue(name, inputs[name])]));
}

/** The field that shows what the server rejects at a name of the API; undefined if none does. */
export function plainFieldOf(path: string): PlainField | undefined {
  const [name = ''] = path.split('.');
  return isPlainField(name) && definitionOf(name).control !== 'switch' ? name : undefined;
}

/** What is wrong, as far as no server is needed to see it. */
export function inputIssues(inputs: FieldInputs): InputIssues {
  const issues: InputIssues = {};
  for (const name of PLAIN_NAMES) {
    const issue = issueOf(name, inputs[name]);
    if (issue !== undefined) issues[name] = issue;
  }
  return issues;
}

function issueOf(name: PlainField, input: FieldInputs[PlainField]): string | undefined {
  const definition = definitionOf(name);
  const value = toValue(name, input);
  if (definition.control === 'number') {
    const { max, invalid } = definition;
    if (!(Number(value) >= 0 && Number(value) <= max)) return t(invalid, String(max));
  }
  if (definition.control === 'code' && typeof value === 'string') {
    if (!definition.pattern.test(value)) return t(definition.invalid);
  }
  return undefined;
}

function toValue(name: PlainField, input: FieldInputs[PlainField]): PlainValues[PlainField] {
  const definition = definitionOf(name);
  if (typeof input !== 'string') return input;
  switch (definition.control) {
    case 'number':
      return Number(input);
    case 'line':
      return fitLine(input, definition.maxCharacters) || definition.default;
    case 'text':
      return fitText(input, definition.maxCharacters) || definition.default;
    default:
      return input.trim() || null;
  }
}
