import { perLanguage } from './translate.ts';

const listFormat = perLanguage((language) => new Intl.ListFormat(language));

/** Formats a list in the shown language: `a, b, and c`. */
export function formatList(parts: Iterable<string>): string {
  return listFormat().format(parts);
}
