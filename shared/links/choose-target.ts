import type { Rule } from './destinations.ts';
import { preferredLanguage } from './preferred-language.ts';

/** What rules ask about a visit. Most are worked out only if a rule asks. */
export type VisitFacts = {
  /** ISO 8601 in UTC, with milliseconds. */
  readonly time: string;
  /** As the statistics name them. */
  readonly families: { readonly device: string; readonly system: string };
  /** The value of `Accept-Language`. */
  readonly acceptLanguage: string | undefined;
  readonly country: string | undefined;
  readonly query: URLSearchParams;
  /** A number from 0 up to 100 that stays the same for a visitor of a link during a day. */
  readonly percentile: number;
};

/** Instead of the index of a rule: the visit goes to the link's own target. */
export const OWN_TARGET = -1;

/** What the statistics call the devices of rules. */
export const DEVICE_FAMILIES = { phone: 'mobile', tablet: 'tablet', computer: 'desktop' } as const;

/**
 * The index of the first rule that matches a visit, or `OWN_TARGET`.
 *
 * The shares of rules add up: of two rules with 30 percent each, the second one gets those from 30 to 60. Of
 * rules with other conditions, only those count that hold for the visitor.
 */
export function chooseTarget(rules: readonly Rule[], facts: VisitFacts): number {
  let shared = 0;
  let preferred: string | undefined | null = null;
  for (const [index, rule] of rules.entries()) {
    if (!holds(rule, facts)) continue;
    if (rule.language !== undefined) {
      if (preferred === null) {
        preferred = preferredLanguage(facts.acceptLanguage, languagesIn(rules));
      }
      if (rule.language !== preferred) continue;
    }
    if (rule.share === undefined) return index;
    const { percentile } = facts;
    if (percentile >= shared && percentile < shared + rule.share) return index;
    shared += rule.share;
  }
  return OWN_TARGET;
}

/** Whether all conditions but the language and the share hold, which depend on other rules. */
function holds(rule: Rule, facts: VisitFacts): boolean {
  const { device, system, country, query, from, until } = rule;
  return (
    (device === undefined || facts.families.device === DEVICE_FAMILIES[device]) &&
    (system === undefined || facts.families.system === system) &&
    (country === undefined || facts.country === country) &&
    (from === undefined || facts.time >= from) &&
    (until === undefined || facts.time < until) &&
    (query === undefined || hasParameter(facts.query, query))
  );
}

function hasParameter(query: URLSearchParams, { name, value }: NonNullable<Rule['query']>) {
  return value === undefined ? query.has(name) : query.getAll(name).includes(value);
}

function languagesIn(rules: readonly Rule[]): string[] {
  return rules.flatMap(({ language }) => language ?? []);
}
