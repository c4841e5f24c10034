import { formatList } from '../../i18n/format-list.ts';
import { formatDate } from '../../i18n/format-time.ts';
import { perLanguage, t } from '../../i18n/translate.ts';
import { DEVICE_FAMILIES } from '../../links/choose-target.ts';
import { CONDITIONS, type Condition, type Rule } from '../../links/destinations.ts';
import { countryName, deviceName } from '../statistics/value-names.ts';

const percentFormat = perLanguage(
  (language) => new Intl.NumberFormat(language, { style: 'percent' }),
);
const languageNames = perLanguage(
  (language) => new Intl.DisplayNames(language, { type: 'language' }),
);

/** The value of a condition in words. */
const FORMATS: { [K in Condition]: (value: NonNullable<Rule[K]>) => string } = {
  device: (device) => deviceName(DEVICE_FAMILIES[device] ?? device),
  system: (system) => system,
  language: formatLanguage,
  country: countryName,
  query: ({ name, value }) => isolate(value === undefined ? name : `${name}=${value}`),
  from: formatDate,
  until: formatDate,
  share: formatPercent,
};

/** Conditions as parts of a sentence. A placeholder stands for the value. */
export const CONDITION_TEXTS = {
  device: 'rule_device',
  system: 'rule_system',
  language: 'rule_language',
  country: 'rule_country',
  query: 'rule_query',
  from: 'rule_from',
  until: 'rule_until',
  share: 'rule_share',
} as const;

/** Returns a rule in words: `If the device is Phone and the language is German, go to https://example.com/`. */
export function formatRule(rule: Rule): string {
  const conditions = CONDITIONS.flatMap((name) => {
    const value = rule[name];
    return value === undefined ? [] : [t(CONDITION_TEXTS[name], FORMATS[name](value as never))];
  });
  return t('rule_sentence', formatList(conditions), isolate(rule.originalUrl));
}

export function formatPercent(percent: number): string {
  return percentFormat().format(percent / 100);
}

/** Returns the name of a language, by its BCP 47 tag. */
function formatLanguage(tag: string): string {
  return languageNames().of(tag) ?? tag;
}

/**
 * Makes text run from left to right in a sentence of any direction: marks on both sides, since `showDirectionMarks`
 * shows others.
 */
export function isolate(text: string): string {
  return `\u200e${text}\u200e`;
}
