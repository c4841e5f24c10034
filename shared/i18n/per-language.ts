import { formatTag } from './translate.ts';

/**
 * Returns a formatter for the shown language in the user's region. Each one is made once, since that takes much longer than
 * to format with it, and a list formats hundreds of values.
 */
export function perLanguage<F>(make: (language: string) => F): () => F {
  const made = new Map<string, F>();
  return () => {
    const language = formatTag();
    const formatter = made.get(language) ?? make(language);
    made.set(language, formatter);
    return formatter;
  };
}
