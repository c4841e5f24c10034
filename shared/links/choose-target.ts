import type { Rule } from './destinations.ts';

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
 * Returns the index of the first rule that matches a visit, or `OWN_TARGET`.
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

/** Browsers send few different values. Beyond it, those so far are forgotten. */
const MAX_REMEMBERED = 1000;
/** Longer ones are made up. */
const MAX_CHARACTERS = 256;

type Language = {
  /** In canonical form. */
  tag: string;
  /** The code of the language, with one code for all kinds of Norwegian. */
  family: string;
  language: string;
  /** The likely ones (CLDR) where the tag has none. */
  script: string | undefined;
  region: string | undefined;
  isBare: boolean;
};

const remembered = new Map<string, Language[]>();

/**
 * Returns of some languages the one that a visitor prefers. For the most preferred range that any of them matches:
 * the best match, by language, script and region. `zh-TW` and `zh-CN` don't match each other, because people
 * who read one script may not read the other; `zh` matches both. A wildcard says nothing.
 *
 * @param header the value of `Accept-Language`
 * @param named BCP 47 tags
 * @see RFC 9110, section 12.5.4
 */
export function preferredLanguage(
  header: string | undefined,
  named: readonly string[],
): string | undefined {
  if (header === undefined || header.length > MAX_CHARACTERS) return undefined;
  const candidates = languagesOf(named.join());
  for (const range of languagesOf(header)) {
    let best: { tag: string; score: number } | undefined;
    for (const candidate of candidates) {
      const score = matchScore(range, candidate);
      if (score > (best?.score ?? 0)) best = { tag: candidate.tag, score };
    }
    if (best) return best.tag;
  }
  return undefined;
}

/** Returns how well a language fits what a visitor asks for; 0 if it doesn't. */
function matchScore(range: Language, candidate: Language): number {
  if (candidate.family !== range.family) return 0;
  const isSameScript = candidate.script === range.script;
  if (!isSameScript && !candidate.isBare) return 0;
  if (candidate.tag === range.tag) return 16;
  const language = candidate.language === range.language ? 8 : 0;
  const script = isSameScript ? 4 : 0;
  return 1 + language + script + regionScore(range, candidate);
}

function regionScore(range: Language, candidate: Language): number {
  if (candidate.region === range.region) return 2;
  return candidate.isBare ? 1 : 0;
}

/** The languages of a header, the preferred ones first. */
function languagesOf(header: string): Language[] {
  const known = remembered.get(header);
  if (known) return known;
  const languages = header
    .split(',')
    .map((part) => {
      const [range = '', ...parameters] = part.split(';').map((text) => text.trim());
      const quality = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2) ?? '1';
      return { language: toLanguage(range), quality: Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .flatMap(({ language }) => language ?? []);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(header, languages);
  return languages;
}

/** Norwegian, Bokmål and Nynorsk: who reads one reads the others (CLDR, "Language Matching"). */
const NORWEGIAN = new Set(['no', 'nb', 'nn']);

function toLanguage(range: string): Language | undefined {
  try {
    const locale = new Intl.Locale(range);
    const { language, script, region } = locale.maximize();
    return {
      tag: locale.toString(),
      family: NORWEGIAN.has(language) ? 'no' : language,
      language,
      script,
      region,
      isBare: locale.script === undefined && locale.region === undefined,
    };
  } catch {
    // A wildcard, or no language tag at all.
    return undefined;
  }
}
