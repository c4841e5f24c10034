import { shownLanguage, t } from './i18n.ts';

/** The plural forms that the languages here have, by the rules of CLDR. */
const FORMS = {
  zero: 'tracking_removed_other',
  one: 'tracking_removed_one',
  two: 'tracking_removed_two',
  few: 'tracking_removed_few',
  many: 'tracking_removed_many',
  other: 'tracking_removed_other',
} as const satisfies Record<Intl.LDMLPluralRule, string>;

/** How many tracking parameters were taken out of an address, in words. */
export function sayRemoved(count: number): string {
  const language = shownLanguage();
  const form = FORMS[new Intl.PluralRules(language).select(count)];
  return t(form, new Intl.NumberFormat(language).format(count));
}
