import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '../i18n/format-message.ts';
import english from './en.json' with { type: 'json' };

/** All texts of a language by key. English has a description of each. */
export type LocaleMessages = Record<string, Message & { description?: string }>;

/** Of the keys of pages for visitors: the server shows them, and the extension does not. */
export const VISIT_KEY_PREFIX = 'visit_';
/** The same of pages for administrators. */
export const ADMIN_KEY_PREFIX = 'admin_';

/** The form of a plural that `Intl.PluralRules` selects, at the end of a key. */
const PLURAL_FORM = /_(zero|one|two|few|many)$/;

/**
 * Every language, by its BCP 47 tag, as browsers read it. English is kept in that format, with a
 * description of each text for translators; the others are flat files of `key: text` and take
 * their placeholders from English.
 *
 * @throws Error a language has a text that English does not have
 */
export function readLocales(): Record<string, LocaleMessages> {
  const names = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.json'));
  return Object.fromEntries(names.sort().map((name) => [name.slice(0, -5), readLocale(name)]));
}

function readLocale(name: string): LocaleMessages {
  if (name === 'en.json') return english;
  const texts: Record<string, string> = JSON.parse(
    readFileSync(join(import.meta.dirname, name), 'utf8'),
  );
  return Object.fromEntries(
    Object.entries(texts).map(([key, message]) => {
      const { placeholders } = englishOf(key, name);
      return [key, placeholders ? { message, placeholders } : { message }];
    }),
  );
}

/** English has fewer plural forms than other languages: those follow its `other`. */
function englishOf(key: string, name: string): LocaleMessages[string] {
  const messages: LocaleMessages = english;
  const message = messages[key] ?? messages[key.replace(PLURAL_FORM, '_other')];
  if (message) return message;
  throw new Error(`shared/locales/${name} has the text "${key}", which English does not have.`);
}
