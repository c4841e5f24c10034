import { useSignal } from '@preact/signals';
import { t } from '../../i18n/translate.ts';
import { OWN_TARGET } from '../../links/choose-target.ts';
import { InputField } from '../InputField.tsx';
import { isLocalTime, LOCAL_TIME_INPUT, toLocalTime } from '../link-form/local-time.ts';
import type { RuleInput } from '../link-form/rule-inputs.ts';
import { SelectField } from '../SelectField.tsx';
import { CHOICES, CONDITION_LABELS } from './ConditionControl.tsx';
import { formatPercent } from './format-rule.ts';
import { type TriedOutcome, type TriedVisit, tryRules } from './try-rules.ts';

export type TryRulesProps = {
  rules: RuleInput[];
  originalUrl: string;
  knowsCountries: boolean;
};

const CHOSEN = ['device', 'system', 'language', 'country'] as const;

/** Shows which rule wins for a visit that the user makes up. */
export function TryRules({ rules, originalUrl, knowsCountries }: TryRulesProps) {
  const visit = useSignal<TriedVisit>({
    ...{ device: '', system: '', language: '', country: '', query: '' },
    time: toLocalTime(new Date().toISOString()),
  });
  const set = (changes: Partial<TriedVisit>) => {
    visit.value = { ...visit.value, ...changes };
  };
  return (
    <>
      <div class="try-fields">
        {CHOSEN.filter((name) => name !== 'country' || knowsCountries).map((name) => (
          <SelectField
            key={name}
            label={t(CONDITION_LABELS[name])}
            options={[{ value: '', label: t('value_other') }, ...(CHOICES[name]?.() ?? [])]}
            value={visit.value[name]}
            onChoose={(value) => set({ [name]: value })}
          />
        ))}
        <InputField
          label={t('try_time')}
          {...LOCAL_TIME_INPUT}
          value={visit.value.time}
          onInput={(event) => {
            // Empty while a part of it is typed.
            const { value } = event.currentTarget;
            if (isLocalTime(value)) set({ time: value });
          }}
        />
        <InputField
          label={t('try_query')}
          isCode
          value={visit.value.query}
          onInput={(event) => set({ query: event.currentTarget.value })}
        />
      </div>
      <div role="status">
        <ul class="try-outcomes">
          {tryRules(rules, visit.value).map((outcome) => (
            <li key={outcome.target}>{formatOutcome(outcome, rules, originalUrl)}</li>
          ))}
        </ul>
      </div>
    </>
  );
}

function formatOutcome({ target, percent }: TriedOutcome, rules: RuleInput[], originalUrl: string) {
  const name = target === OWN_TARGET ? t('try_own') : t('rule_number', String(target + 1));
  return (
    <>
      {percent < 100 && `${formatPercent(percent)} · `}
      <strong>{name}</strong> <bdi dir="ltr">{rules[target]?.originalUrl ?? originalUrl}</bdi>
    </>
  );
}
