import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import english from './en.json' with { type: 'json' };

/** All texts of a language by key, with `$1` for the first substitution. */
export type LocaleTexts = Record<string, string>;

/** Placeholders are listed in the order of the substitutions. */
type EnglishText = { message: string; description: string; placeholders?: string[] };

/** The keys of pages for visitors begin with it: the server shows them, and the extension does not. */
export const VISIT_KEY_PREFIX = 'visit_';
/** The keys of pages for administrators begin with it. */
export const ADMIN_KEY_PREFIX = 'admin_';

/** The form of a plural that `Intl.PluralRules` selects, at the end of a key. */
const PLURAL_FORM = /_(zero|one|two|few|many)$/;

/**
 * Reads every language, by its BCP 47 tag, as browsers read it. English has a description of each text for
 * translators; the others are flat files of `key: text` and take their placeholders from English.
 *
 * @throws Error a language has a text or a placeholder that English does not have
 */
export function readLocales(): Record<string, LocaleTexts> {
  const names = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.json'));
  return Object.fromEntries(names.sort().map((name) => [name.slice(0, -5), readLocale(name)]));
}

function readLocale(name: string): LocaleTexts {
  const texts: Record<string, string | EnglishText> = JSON.parse(
    readFileSync(join(import.meta.dirname, name), 'utf8'),
  );
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => {
      const message = typeof text === 'string' ? text : text.message;
      return [key, numberPlaceholders(message, englishOf(key, name))];
    }),
  );
}

/** `$1 of $2` for `$LEFT$ of $LIMIT$`: the names are only for translators. */
function numberPlaceholders(message: string, { placeholders = [] }: EnglishText): string {
  return message.replace(/\$(\w+)\$/g, (_, name: string) => {
    const index = placeholders.indexOf(name.toLowerCase());
    if (index === -1) throw new Error(`English has no placeholder $${name}$ for "${message}".`);
    return `$${index + 1}`;
  });
}

/** English has fewer plural forms than other languages: those follow its `other`. */
function englishOf(key: string, name: string): EnglishText {
  const messages: Record<string, EnglishText> = english;
  const message = messages[key] ?? messages[key.replace(PLURAL_FORM, '_other')];
  if (message) return message;
  throw new Error(`shared/locales/${name} has the text "${key}", which English does not have.`);
}
