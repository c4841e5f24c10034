import { setMessageSource } from '../../../shared/i18n/translate.ts';
import { fillIn, type NumberedText } from './numbered-text.ts';

type Texts = Record<string, NumberedText>;

/** Each language is a chunk of its own; `build/used-messages.ts` leaves out what is never shown. */
const LANGUAGES = import.meta.glob<Texts>('../../../shared/locales/*.json', { import: 'default' });
const DEFAULT_LANGUAGE = 'en';

/** Loads the texts of the first of these languages that Curt has. */
export async function loadMessages(languages: readonly string[]): Promise<void> {
  const wanted = [...languages.map((tag) => tag.toLowerCase().split('-')[0]), DEFAULT_LANGUAGE];
  const load = wanted.map(loaderOf).find((found) => found !== undefined);
  const texts = (await load?.()) ?? {};
  setMessageSource((key, substitutions) => fillIn(texts[key] ?? '', substitutions));
}

function loaderOf(language: string | undefined) {
  return LANGUAGES[`../../../shared/locales/${language}.json`];
}
