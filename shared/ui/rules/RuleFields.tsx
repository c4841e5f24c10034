import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { preferredRegion } from '../../i18n/regional-tag.ts';
import { shownLanguage, t } from '../../i18n/translate.ts';
import { CONDITIONS, type Condition } from '../../links/destinations.ts';
import { InputField } from '../Field.tsx';
import { Icon } from '../Icon.tsx';
import { conditionsOf, type RuleInput, type RuleIssues } from '../link-form/rule-inputs.ts';
import { Select } from '../Select.tsx';
import {
  CONDITION_LABELS,
  ConditionControl,
  type ConditionControlProps,
} from './ConditionControl.tsx';
import { CONDITION_TEXTS } from './format-rule.ts';

type RuleFieldsProps = {
  rule: RuleInput;
  index: number;
  issues: RuleIssues;
  knowsCountries: boolean;
  /** @param focused a selector of what gets the focus */
  onChange: (rule: RuleInput, focused?: string) => void;
};

/** Renders the conditions of a rule and where it leads, as a sentence. */
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
    country: preferredRegion(navigator.languages),
    share: '50',
  };
  return values[name] ?? '';
}

function controlOf(name: Condition | undefined): string {
  return `[data-condition="${name}"] :is(select, input)`;
}

type ConditionRowProps = Omit<ConditionControlProps, 'control'> & {
  isFirst: boolean;
  issue: string | undefined;
  /** Undefined for the only one. */
  onRemove: (() => void) | undefined;
};

/** Stands for the control in the text around it. */
const CONTROL = '\u0000';

/** Renders a condition as a part of a sentence with a choice: "If the device is [Phone]". */
function ConditionRow({ isFirst, issue, onRemove, ...condition }: ConditionRowProps) {
  const id = useId();
  const { name } = condition;
  const [before, after] = t(CONDITION_TEXTS[name], CONTROL).split(CONTROL);
  return (
    <li data-condition={name}>
      <span class="rule-sentence">
        <strong>{t(isFirst ? 'rule_if' : 'rule_and')}</strong> {before}
        <ConditionControl
          {...condition}
          control={{
            'aria-describedby': issue ? id : undefined,
            'aria-invalid': issue ? true : undefined,
          }}
        />
        {after}
      </span>
      {onRemove && (
        <button
          type="button"
          class="button plain square"
          aria-label={t('label_of', t('condition_remove'), t(CONDITION_LABELS[name]))}
          title={t('condition_remove')}
          onClick={onRemove}
        >
          <Icon name="close" />
        </button>
      )}
      {issue && (
        <p class="issue" id={id}>
          {issue}
        </p>
      )}
    </li>
  );
}
