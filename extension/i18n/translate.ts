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

/** A text in the browser's language; placeholders are filled in the order of their `$1`, `$2`. */
export function t<K extends MessageKey>(key: K, ...substitutions: Substitutions<K>): string {
  return lookUp(key, substitutions);
}

/** The text of a key, or an empty string where no language has it. */
export function lookUp(key: string, substitutions: string[]): string {
  // WXT's types know the keys of a folder in `public` only, and the build makes ours.
  return browser.i18n.getMessage(key as '@@ui_locale', substitutions);
}

/** The language whose strings are shown, which need not be the browser's. */
export function shownLanguage(): string {
  return t('language_tag');
}

/** Gives an extension page its language, direction and title. */
export function translateDocument(title: MessageKey & PlainKey): void {
  document.documentElement.lang = shownLanguage();
  // Not the browser's `@@bidi_dir`: its language may be one that we do not speak.
  document.documentElement.dir = t('text_direction');
  document.title = t(title);
}
