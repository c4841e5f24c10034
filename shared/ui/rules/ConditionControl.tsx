import { type PlainKey, t } from '../../i18n/translate.ts';
import { QUERY_PART_MAX_CHARACTERS } from '../../limits.ts';
import { DEVICE_FAMILIES } from '../../links/choose-target.ts';
import { type Condition, RULE_DEVICES, RULE_SYSTEMS } from '../../links/destinations.ts';
import type { FieldControl } from '../Field.tsx';
import { LOCAL_TIME_INPUT } from '../link-form/local-time.ts';
import type { RuleInput } from '../link-form/rule-inputs.ts';
import { type Choice, Select } from '../Select.tsx';
import { deviceName } from '../statistics/tables/value-names.ts';
import { countryChoices, languageChoices } from './choices.ts';

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
  const common = { ...control, name: path, 'aria-label': t(CONDITION_LABELS[name]), value };
  const choices = CHOICES[name]?.();
  if (choices) {
    // Such as a language with its region.
    const isOther = !choices.some((choice) => choice.value === value);
    const options = [...(isOther ? [{ value, label: value }] : []), ...choices];
    const onChoose = (chosen: string) => onChange({ [name]: chosen });
    return <Select {...common} options={options} onChoose={onChoose} />;
  }
  const input = {
    ...common,
    class: 'input',
    onInput: (event: { currentTarget: { value: string } }) =>
      onChange({ [name]: event.currentTarget.value }),
  };
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
