import { browser } from 'wxt/browser';
import type messages from '../locales/en.json';

type Messages = typeof messages;
export type MessageKey = keyof Messages;
/** Keys of messages without a placeholder. */
export type PlainKey = {
  [K in MessageKey]: Messages[K] extends { placeholders: object } ? never : K;
}[MessageKey];

type Substitutions<K extends MessageKey> = Messages[K] extends { placeholders: object }
  ? [first: string, ...others: string[]]
  : [];

/** The text of a key in the browser's language. The substitutions replace `$1`, `$2` and so on. */
export function t<K extends MessageKey>(key: K, ...substitutions: Substitutions<K>): string {
  return lookUp(key, substitutions);
}

/** The text of a key, or an empty string if there is none. */
export function lookUp(key: string, substitutions: string[]): string {
  // WXT's types do not know keys that a build hook generates.
  return browser.i18n.getMessage(key as '@@ui_locale', substitutions);
}

/** The language of the shown texts, which may differ from the browser's. */
export function shownLanguage(): string {
  return t('language_tag');
}

/** Sets the language, direction and title of an extension page. */
export function translateDocument(title: MessageKey & PlainKey): void {
  document.documentElement.lang = shownLanguage();
  // Not `@@bidi_dir`, which is the direction of the browser's language.
  document.documentElement.dir = t('text_direction');
  document.title = t(title);
}
