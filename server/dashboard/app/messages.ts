import { fillIn } from '../../../shared/i18n/fill-in.ts';
import { chosenLanguage } from '../../../shared/i18n/language-choice.ts';
import { setMessageSource } from '../../../shared/i18n/translate.ts';
import { loadWithParts } from '../../../shared/ui/lazy.ts';

type Texts = Record<string, string>;
/** What loads the texts of a language, by the path of its file. */
type Languages = Record<string, () => Promise<Texts>>;

/**
 * The texts of the list's first content and of the frame. Each language is a chunk of its own;
 * `build/used-messages.ts` leaves out what is never shown.
 */
export const LANGUAGES: Languages = import.meta.glob<Texts>('../../../shared/locales/*.json', {
  import: 'default',
  query: '?first',
});
/** All other texts, which come with the first part that is loaded later. */
export const MORE_TEXTS: Languages = import.meta.glob<Texts>('../../../shared/locales/*.json', {
  import: 'default',
  query: '?more',
});
const DEFAULT_LANGUAGE = 'en';

/** Returns the languages that the user wants: that of the address, the chosen one, those of the browser. */
export function wantedLanguages(query: URLSearchParams): string[] {
  const first = [query.get('lang'), chosenLanguage(document.cookie)];
  return [...first.filter((tag) => tag !== null && tag !== undefined), ...navigator.languages];
}

/** The tags of all languages. */
export const LANGUAGE_TAGS = Object.keys(LANGUAGES).map((path) =>
  path.replace(/^.*\/|\.json$/g, ''),
);

/**
 * Loads the texts of the first of these languages that Curt has.
 *
 * @param more texts that parts of the page wait for
 */
export async function loadMessages(
  languages: readonly string[],
  sources: Languages,
  more: Languages = {},
): Promise<void> {
  const wanted = [...languages.map((tag) => tag.toLowerCase().split('-')[0]), DEFAULT_LANGUAGE];
  const paths = wanted.map((language) => `../../../shared/locales/${language}.json`);
  const path = paths.find((path) => sources[path]) ?? '';
  const texts: Texts = {};
  const add = async (load?: () => Promise<Texts>) => void Object.assign(texts, await load?.());
  loadWithParts(() => add(more[path]));
  await add(sources[path]);
  setMessageSource((key, substitutions) => fillIn(texts[key] ?? '', substitutions));
}
