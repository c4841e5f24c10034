import type { Budget } from '../../shared/client.ts';
import { type MessageKey, shownLanguage, t } from './translate.ts';

/** The texts of a number of things, by the plural forms that languages have (CLDR). */
export type CountForms = Record<Intl.LDMLPluralRule, MessageKey>;

/** A number of things in words, by the rules of the language that is shown. */
export function sayCount(forms: CountForms, count: number): string {
  const form = forms[new Intl.PluralRules(shownLanguage()).select(count)];
  // Of each of them, a test holds that it has this one placeholder.
  return t(form as 'links_count_other', formatNumber(count));
}

/** What is left, and of how much. */
export function formatLeft({
  remaining,
  limit,
}: Pick<Budget, 'remaining' | 'limit'>): [string, string] {
  return [formatNumber(remaining), formatNumber(limit)];
}

export function formatNumber(count: number): string {
  return new Intl.NumberFormat(shownLanguage()).format(count);
}
