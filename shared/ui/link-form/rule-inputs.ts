import { t } from '../../i18n/translate.ts';
import { CONDITIONS, type Condition, type Rule } from '../../links/destinations.ts';
import { readTypedUrl } from '../../links/url-in-text.ts';
import { fromLocalTime, isLocalTime, toExactLocalTime } from './local-time.ts';

/** A rule as its controls have it: the conditions that are shown, and where the visit goes. */
export type RuleInput = { [K in Condition]?: string } & {
  /** Of the parameter whose name is `query`. Empty or absent for any. */
  queryValue?: string;
  originalUrl: string;
  /** The times of a saved rule: its local times do not say which, in the hour that clocks repeat. */
  saved?: Pick<Rule, 'from' | 'until'>;
};

/** Error messages by path: `rules.1.share`, or `rules.1` for a whole rule. */
export type RuleIssues = { [path: `rules.${string}`]: string | undefined };

const WHOLE_PERCENT = /^([1-9]\d?|100)$/;

export function toRuleInput({ query, from, until, share, ...rule }: Rule): RuleInput {
  const input = {
    ...rule,
    query: query?.name,
    queryValue: query?.value,
    from: from && toExactLocalTime(from),
    until: until && toExactLocalTime(until),
    share: share?.toString(),
    saved: from || until ? { from, until } : undefined,
  };
  return JSON.parse(JSON.stringify(input));
}

/** Returns the rule that valid controls stand for. */
export function toRule({ query, queryValue, from, until, share, saved, ...rule }: RuleInput): Rule {
  return {
    ...(rule as Rule),
    originalUrl: readTypedUrl(rule.originalUrl),
    ...(query !== undefined && {
      query: { name: query, ...(queryValue && { value: queryValue }) },
    }),
    ...(from && { from: toTime(from, saved?.from) }),
    ...(until && { until: toTime(until, saved?.until) }),
    ...(share && { share: Number(share) }),
  };
}

function toTime(local: string, saved: string | undefined): string {
  return saved && toExactLocalTime(saved) === local ? saved : fromLocalTime(local);
}

export function conditionsOf(rule: RuleInput): Condition[] {
  return CONDITIONS.filter((name) => rule[name] !== undefined);
}

/** Returns what is wrong, as far as no server is needed to see it. */
export function ruleIssues(rules: readonly RuleInput[]): RuleIssues {
  return Object.assign(
    {},
    ...rules.flatMap((rule, index) => [
      ...conditionsOf(rule).flatMap((name) => {
        const issue = conditionIssue(name, rule);
        return issue ? [{ [`rules.${index}.${name}`]: issue }] : [];
      }),
      ...(rule.originalUrl.trim() === ''
        ? [{ [`rules.${index}.originalUrl`]: t('field_target_missing') }]
        : []),
    ]),
  );
}

function conditionIssue(name: Condition, rule: RuleInput): string | undefined {
  const value = rule[name]?.trim();
  if (!value) return t('rule_value_missing');
  const isTime = name === 'from' || name === 'until';
  if (isTime && !isLocalTime(value)) return t('rule_value_missing');
  if (name === 'share' && !WHOLE_PERCENT.test(rule.share ?? '')) return t('rule_share_invalid');
  const isEmptyTime = name === 'until' && rule.from && rule.from >= (rule.until ?? '');
  return isEmptyTime ? t('rule_until_invalid') : undefined;
}
