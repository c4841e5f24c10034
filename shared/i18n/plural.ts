import type { Limit } from '../client.ts';
import { lookUp, type MessageKey, perLanguage } from './translate.ts';

const numberFormat = perLanguage((language) => new Intl.NumberFormat(language));
const pluralRules = perLanguage((language) => new Intl.PluralRules(language));

/** Prefix of the keys of a text with plural forms: `links_count` for `links_count_other`. */
type CountKey = MessageKey extends infer Key
  ? Key extends `${infer Base}_other`
    ? Base
    : never
  : never;

/**
 * Formats a text with a number, in the plural form of the shown language (CLDR). If there is no text
 * for that form, uses `other`.
 *
 * @param others substitutions after the number
 */
export function formatCount(key: CountKey, count: number, ...others: string[]): string {
  const form = pluralRules().select(count);
  const substitutions = [formatNumber(count), ...others];
  return lookUp(`${key}_${form}`, substitutions) || lookUp(`${key}_other`, substitutions);
}

/** Formats the remaining number and the limit. */
export function formatLeft({
  remaining,
  limit,
}: Pick<Limit, 'remaining' | 'limit'>): [string, string] {
  return [formatNumber(remaining), formatNumber(limit)];
}

export function formatNumber(count: number): string {
  return numberFormat().format(count);
}
