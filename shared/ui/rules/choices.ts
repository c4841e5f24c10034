import { perLanguage } from '../../i18n/per-language.ts';
import type { Choice } from '../Select.tsx';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
/** Chinese has two scripts, which visitors tell apart. */
const LANGUAGES = [...PAIRS, 'zh-Hant'];
/** Groups of countries, and codes that stand for none. Kosovo is at XK. */
const NO_COUNTRY = /^(AA|Q[M-Z]|X(?!K)[A-Z]|ZZ|EU|EZ|UN)$/;
const COUNTRIES = PAIRS.map((pair) => pair.toUpperCase()).filter((code) => !NO_COUNTRY.test(code));

/** All languages with a code of two letters, by their names in the shown language. */
export const languageChoices = perLanguage((language) =>
  toChoices(language, 'language', LANGUAGES, ''),
);
/** All countries, by their names in the shown language. */
export const countryChoices = perLanguage((language) =>
  toChoices(language, 'region', COUNTRIES, 'und-'),
);

function toChoices(
  language: string,
  type: 'language' | 'region',
  codes: string[],
  prefix: string,
): Choice[] {
  const collator = new Intl.Collator(language);
  const names = new Intl.DisplayNames(language, { type, fallback: 'none' });
  // Codes that were replaced by others have the names of those.
  const isCurrent = (code: string) => Intl.getCanonicalLocales(prefix + code)[0] === prefix + code;
  return codes
    .filter(isCurrent)
    .flatMap((value) => {
      const label = names.of(value);
      return label ? [{ value, label }] : [];
    })
    .sort((one, other) => collator.compare(one.label, other.label));
}
