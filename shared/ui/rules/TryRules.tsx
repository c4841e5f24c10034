import { useSignal } from '@preact/signals';
import { formatNumber } from '../../i18n/plural.ts';
import { t } from '../../i18n/translate.ts';
import {
  chooseTarget,
  DEVICE_FAMILIES,
  OWN_TARGET,
  type VisitFacts,
} from '../../links/choose-target.ts';
import { InputField, SelectField } from '../Field.tsx';
import {
  fromLocalTime,
  isLocalTime,
  LOCAL_TIME_INPUT,
  toLocalTime,
} from '../link-form/local-time.ts';
import { type RuleInput, ruleIssues, toRule } from '../link-form/rule-inputs.ts';
import { CHOICES, CONDITION_LABELS } from './ConditionControl.tsx';
import { formatPercent } from './format-rule.ts';

type TryRulesProps = {
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
  const name = target === OWN_TARGET ? t('try_own') : t('rule_number', formatNumber(target + 1));
  return (
    <>
      {percent < 100 && `${formatPercent(percent)} · `}
      <strong>{name}</strong> <bdi dir="ltr">{rules[target]?.originalUrl ?? originalUrl}</bdi>
    </>
  );
}

/** A visit that somebody makes up. Empty texts stand for anything that no rule names. */
export type TriedVisit = {
  device: '' | keyof typeof DEVICE_FAMILIES;
  system: string;
  language: string;
  country: string;
  /** The value of `<input type="datetime-local">`. */
  time: string;
  query: string;
};

/** Where a part of such visits goes: the index of a rule, or `OWN_TARGET`. */
type TriedOutcome = { target: number; percent: number };

const PERCENTILES = Array.from({ length: 100 }, (_, percentile) => percentile);

/** Chooses as the server does, once for each side of the rules' shares. Rules that are not complete are left out. */
export function tryRules(rules: readonly RuleInput[], visit: TriedVisit): TriedOutcome[] {
  const complete = rules.flatMap((input, index) => {
    const isComplete = Object.keys(ruleIssues([input])).every((path) => path.endsWith('Url'));
    return isComplete ? [{ index, rule: toRule(input) }] : [];
  });
  const tried = complete.map(({ rule }) => rule);
  const facts = toFacts(visit);
  const targets = PERCENTILES.map((percentile) => {
    const chosen = chooseTarget(tried, { ...facts, percentile });
    return complete[chosen]?.index ?? OWN_TARGET;
  });
  return [...Map.groupBy(targets, (target) => target)].map(([target, { length }]) => ({
    target,
    percent: length,
  }));
}

function toFacts({ device, system, language, country, time, query }: TriedVisit) {
  return {
    families: { device: device && DEVICE_FAMILIES[device], system },
    acceptLanguage: language,
    country,
    time: fromLocalTime(time),
    query: new URLSearchParams(query),
  } satisfies Omit<VisitFacts, 'percentile'>;
}
