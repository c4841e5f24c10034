import { type PlainKey, t } from '../../i18n/translate.ts';
import { QUERY_PART_MAX_CHARACTERS } from '../../limits.ts';
import { DEVICE_FAMILIES } from '../../links/choose-target.ts';
import { type Condition, RULE_DEVICES, RULE_SYSTEMS } from '../../links/destinations.ts';
import type { FieldControl } from '../Field.tsx';
import { LOCAL_TIME_INPUT } from '../link-form/local-time.ts';
import type { RuleInput } from '../link-form/rule-inputs.ts';
import { deviceName } from '../statistics/tables/value-names.ts';
import { type Choice, countryChoices, languageChoices } from './choices.ts';

export const CONDITION_LABELS = {
  device: 'condition_device',
  system: 'condition_system',
  language: 'condition_language',
  country: 'condition_country',
  query: 'condition_query',
  from: 'condition_from',
  until: 'condition_until',
  share: 'condition_share',
} as const satisfies Record<Condition, PlainKey>;

/** The values to choose from. Other conditions have fields. */
export const CHOICES: { [K in Condition]?: () => Choice[] } = {
  device: () => RULE_DEVICES.map((value) => ({ value, label: deviceName(DEVICE_FAMILIES[value]) })),
  system: () => RULE_SYSTEMS.map((value) => ({ value, label: value })),
  language: languageChoices,
  country: countryChoices,
};

export type ConditionControlProps = {
  name: Condition;
  rule: RuleInput;
  /** Without `id`: its name is in the sentence around it, and in `aria-label`. */
  control: Omit<FieldControl, 'id'>;
  /** Of the form's field, which its issues have, too. */
  path: string;
  onChange: (changes: Partial<RuleInput>) => void;
};

/** What a condition asks for: a choice, a text, a time or a number. */
export function ConditionControl({ name, rule, control, path, onChange }: ConditionControlProps) {
  const value = rule[name] ?? '';
  const input = {
    ...control,
    class: 'input',
    name: path,
    'aria-label': t(CONDITION_LABELS[name]),
    value,
    onInput: (event: { currentTarget: { value: string } }) =>
      onChange({ [name]: event.currentTarget.value }),
  };
  const choices = CHOICES[name]?.();
  if (choices) return <Select {...input} choices={choices} />;
  if (name === 'share') {
    return (
      <>
        <input {...input} type="number" min={1} max={100} />
        {'\u202f%'}
      </>
    );
  }
  if (name !== 'query') return <input {...input} {...LOCAL_TIME_INPUT} />;
  return (
    <span class="rule-query" dir="ltr">
      <input {...input} maxLength={QUERY_PART_MAX_CHARACTERS} spellcheck={false} />
      =
      <input
        class="input"
        aria-label={t('query_value')}
        placeholder={t('query_any_value')}
        value={rule.queryValue ?? ''}
        onInput={(event) => onChange({ queryValue: event.currentTarget.value })}
        maxLength={QUERY_PART_MAX_CHARACTERS}
        spellcheck={false}
      />
    </span>
  );
}

type SelectProps = {
  value: string;
  choices: Choice[];
  onInput: (event: { currentTarget: { value: string } }) => void;
};

/** A value that is none of the choices, such as a language with its region, is one more. */
function Select({ value, choices, ...select }: SelectProps) {
  const isOther = !choices.some((choice) => choice.value === value);
  return (
    <select {...select} value={value}>
      {[...(isOther ? [{ value, label: value }] : []), ...choices].map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}
