import { useSignal } from '@preact/signals';
import { shownLanguage, t } from '../../i18n/translate.ts';
import { CONDITIONS, type Condition } from '../../links/destinations.ts';
import { Icon } from '../Icon.tsx';
import { InputField } from '../InputField.tsx';
import { conditionsOf, type RuleInput, type RuleIssues } from '../link-form/rule-inputs.ts';
import { Select } from '../Select.tsx';
import { CONDITION_LABELS } from './ConditionControl.tsx';
import { ConditionRow } from './ConditionRow.tsx';

export type RuleFieldsProps = {
  rule: RuleInput;
  index: number;
  issues: RuleIssues;
  knowsCountries: boolean;
  /** @param focused a selector of what gets the focus */
  onChange: (rule: RuleInput, focused?: string) => void;
};

/** The conditions of a rule and where it leads, as a sentence. */
export function RuleFields({ rule, index, issues, knowsCountries, onChange }: RuleFieldsProps) {
  const path = `rules.${index}` as const;
  const names = conditionsOf(rule);
  function remove(name: Condition): void {
    const { [name]: _, ...others } = rule;
    if (name === 'query') delete others.queryValue;
    const neighbor = names[names.indexOf(name) - 1] ?? names[1];
    onChange(others, controlOf(neighbor));
  }
  return (
    <>
      <ul>
        {names.map((name, place) => (
          <ConditionRow
            key={name}
            name={name}
            rule={rule}
            path={`${path}.${name}`}
            isFirst={place === 0}
            issue={issues[`${path}.${name}`]}
            onChange={(changes) => onChange({ ...rule, ...changes })}
            onRemove={names.length > 1 ? () => remove(name) : undefined}
          />
        ))}
      </ul>
      <AddCondition
        names={CONDITIONS.filter(
          (name) => !names.includes(name) && (name !== 'country' || knowsCountries),
        )}
        onAdd={(name) => onChange({ ...rule, [name]: initialValue(name) }, controlOf(name))}
      />
      <InputField
        label={t('rule_go_to')}
        issue={issues[`${path}.originalUrl`] ?? issues[path]}
        name={`${path}.originalUrl`}
        isUrl
        value={rule.originalUrl}
        onInput={(event) => onChange({ ...rule, originalUrl: event.currentTarget.value })}
      />
    </>
  );
}

type AddConditionProps = { names: Condition[]; onAdd: (name: Condition) => void };

function AddCondition({ names, onAdd }: AddConditionProps) {
  const chosen = useSignal<Condition | undefined>(undefined);
  const name = names.find((one) => one === chosen.value) ?? names[0];
  if (!name) return null;
  return (
    <div class="joined rule-add-condition">
      <Select
        aria-label={t('condition_add')}
        options={names.map((value) => ({ value, label: t(CONDITION_LABELS[value]) }))}
        value={name}
        onChoose={(condition) => {
          chosen.value = condition;
        }}
      />
      <button type="button" class="button" onClick={() => onAdd(name)}>
        <Icon name="add" />
        {t('condition_add')}
      </button>
    </div>
  );
}

/** What the user probably means, or empty. */
function initialValue(name: Condition): string {
  const values: Partial<Record<Condition, string | undefined>> = {
    device: 'phone',
    system: 'Android',
    language: new Intl.Locale(shownLanguage()).language,
    country: new Intl.Locale(navigator.language).maximize().region,
    share: '50',
  };
  return values[name] ?? '';
}

function controlOf(name: Condition | undefined): string {
  return `[data-condition="${name}"] :is(select, input)`;
}
