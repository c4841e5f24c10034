import type { Limit } from '../../shared/client.ts';
import { lookUp, type MessageKey, shownLanguage } from './translate.ts';

/** Begins the keys of a text that has plural forms: `links_count` for `links_count_other`. */
export type CountKey = MessageKey extends infer Key
  ? Key extends `${infer Base}_other`
    ? Base
    : never
  : never;

/**
 * A text with a number, in the plural form that the shown language uses for it (CLDR). A language
 * without a text of its own for that form uses `other`.
 */
export function formatCount(key: CountKey, count: number): string {
  const form = new Intl.PluralRules(shownLanguage()).select(count);
  const number = formatNumber(count);
  return lookUp(`${key}_${form}`, [number]) || lookUp(`${key}_other`, [number]);
}

/** What is left, and of how much. */
export function formatLeft({
  remaining,
  limit,
}: Pick<Limit, 'remaining' | 'limit'>): [string, string] {
  return [formatNumber(remaining), formatNumber(limit)];
}

export function formatNumber(count: number): string {
  return new Intl.NumberFormat(shownLanguage()).format(count);
}
