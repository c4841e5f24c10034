import {
  chooseTarget,
  DEVICE_FAMILIES,
  OWN_TARGET,
  type VisitFacts,
} from '../../links/choose-target.ts';
import { fromLocalTime } from '../link-form/local-time.ts';
import { type RuleInput, ruleIssues, toRule } from '../link-form/rule-inputs.ts';

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
export type TriedOutcome = { target: number; percent: number };

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
