import { QUERY_PART_MAX_CHARACTERS } from '../../bounds.ts';
import { COUNTRY_CODES } from '../../countries.ts';
import { type PlainKey, perLanguage, t } from '../../i18n/translate.ts';
import { DEVICE_FAMILIES } from '../../links/choose-target.ts';
import { type Condition, RULE_DEVICES, RULE_SYSTEMS } from '../../links/destinations.ts';
import { LOCAL_TIME_INPUT } from '../link-form/local-time.ts';
import type { RuleInput } from '../link-form/rule-inputs.ts';
import { type Choice, type FieldControl, Select } from '../Select.tsx';
import { deviceName } from '../statistics/value-names.ts';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
/** Chinese has two scripts, which visitors tell apart. */
const LANGUAGES = [...PAIRS, 'zh-Hant'];

/** Codes that were replaced by others have the names of those. */
const isCurrent = (code: string) => Intl.getCanonicalLocales(code)[0] === code;

/** All languages with a code of two letters, by their names in the shown language. */
const languageChoices = perLanguage((language) =>
  toChoices(language, 'language', LANGUAGES.filter(isCurrent)),
);
/** All countries, by their names in the shown language. */
const countryChoices = perLanguage((language) => toChoices(language, 'region', COUNTRY_CODES));

function toChoices(
  language: string,
  type: 'language' | 'region',
  codes: readonly string[],
): Choice[] {
  const collator = new Intl.Collator(language);
  const names = new Intl.DisplayNames(language, { type, fallback: 'none' });
  return codes
    .flatMap((value) => {
      const label = names.of(value);
      return label ? [{ value, label }] : [];
    })
    .sort((one, other) => collator.compare(one.label, other.label));
}

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
  /** Path of the form's field, which its issues have, too. */
  path: string;
  onChange: (changes: Partial<RuleInput>) => void;
};

/** Renders what a condition asks for: a choice, a text, a time or a number. */
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
