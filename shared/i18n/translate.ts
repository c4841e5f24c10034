import type messages from '../locales/en.json';
import { regionalTag } from './regional-tag.ts';

type Messages = typeof messages;
export type MessageKey = keyof Messages;
/** Keys of messages without a placeholder. */
export type PlainKey = {
  [K in MessageKey]: Messages[K] extends { placeholders: object } ? never : K;
}[MessageKey];

/** The arguments that a message needs. */
export type Substitutions<K extends MessageKey> = Messages[K] extends { placeholders: object }
  ? [first: string, ...others: string[]]
  : [];

/** Returns the text of a key, or an empty string if there is none. */
type MessageSource = (key: string, substitutions: string[]) => string;

let source: MessageSource = () => '';

/** Sets where texts come from. Each page and background does so before it shows the first text. */
export function setMessageSource(messages: MessageSource): void {
  source = messages;
}

/** Returns the text of a key in the shown language. The substitutions replace `$1`, `$2` and so on. */
export function t<K extends MessageKey>(key: K, ...substitutions: Substitutions<K>): string {
  return lookUp(key, substitutions);
}

/** Returns the text of a value, or the value itself, which only a newer server knows. */
export function textOf<V extends string>(keys: Record<V, PlainKey>, value: V): string {
  return Object.hasOwn(keys, value) ? t<PlainKey>(keys[value]) : value;
}

/** Returns the text of a key, or an empty string if there is none. */
export function lookUp(key: string, substitutions: string[]): string {
  return source(key, substitutions);
}

/** Returns the language of the shown texts, which may differ from the browser's. */
export function shownLanguage(): string {
  return t('language_tag');
}

/** Tags of formats by tags of the browser, which are few. */
const formatTags = new Map<string, string>();

/** Returns the tag by which dates, numbers and names are formatted: the shown language in the user's region. */
export function formatTag(): string {
  const key = [shownLanguage(), ...navigator.languages].join();
  const known = formatTags.get(key) ?? regionalTag(shownLanguage(), navigator.languages);
  formatTags.set(key, known);
  return known;
}

/** Sets the language, direction and title of a page. */
export function translateDocument(title: MessageKey & PlainKey): void {
  document.documentElement.lang = shownLanguage();
  // Not the browser's, which may have another language.
  document.documentElement.dir = t('text_direction');
  document.title = t(title);
}

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
