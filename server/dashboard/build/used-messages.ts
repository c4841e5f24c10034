import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { type LocaleTexts, readLocales } from '../../../shared/locales/read-locales.ts';

const PROJECT_FOLDER = join(import.meta.dirname, '../../..');
/** The code that the dashboard shows texts with. */
const SOURCES = ['server/dashboard', 'shared/ui', 'shared/i18n', 'shared/links'];
/** The administrator's pages have texts of their own, which nobody else loads. */
const ADMIN_SOURCE = 'server/dashboard/admin/';
/** What is shown before the first row of the list of links, apart from code that is loaded later. */
const FIRST_CONTENT = ['server/dashboard/main.tsx', 'server/dashboard/links/LinksPage.tsx'];
/** At the end of an import: all texts of the administrator's pages, or the dashboard's in two parts. */
const QUERY = /\?(admin|first|more)$/;
type TextPart = 'admin' | 'first' | 'more';
const PLURAL_FORM = /_(zero|one|two|few|many|other)$/;

/**
 * Turns `shared/locales/<language>.json` into the texts that the dashboard uses, by key, with `$1` for
 * the first substitution. Each language becomes a chunk of its own.
 */
export function usedMessages(): Plugin {
  return {
    name: 'used-messages',
    enforce: 'pre',
    load: {
      filter: { id: /\/shared\/locales\/\w+\.json\?(admin|first|more)$/ },
      handler(id) {
        const [query, part] = QUERY.exec(id) ?? [''];
        const language = basename(id.slice(0, -query.length), '.json');
        const texts = pickMessages(language, part as TextPart);
        return { code: JSON.stringify(texts), moduleType: 'json' };
      },
    },
  };
}

/** Returns the texts of a language whose keys are in the source, in quotes, as a whole or without a plural form. */
export function pickMessages(language: string, part: TextPart): LocaleTexts {
  const [used, first] = [usedWords(part === 'admin'), firstWords()];
  const isIn = (words: Set<string>, key: string) =>
    words.has(key) || words.has(key.replace(PLURAL_FORM, ''));
  const messages = Object.entries(readLocales()[language] ?? {}).filter(([key]) => {
    const isFirst = isIn(first, key);
    return part === 'first' ? isFirst : isIn(used, key) && (part === 'admin' || !isFirst);
  });
  return Object.fromEntries(messages);
}

/** The words in quotes of all code that shows texts. */
function usedWords(isForAdmin: boolean): Set<string> {
  const paths = globSync(`{${SOURCES}}/**/*.{ts,tsx}`, { cwd: PROJECT_FOLDER });
  return quotedWords(paths.filter((path) => isForAdmin || !path.startsWith(ADMIN_SOURCE)));
}

/** Those of the first content and all that it imports statically. */
function firstWords(): Set<string> {
  const paths = new Set(FIRST_CONTENT);
  // The set grows during the loop, so that imports are followed too.
  for (const path of paths) {
    const imports = readSource(path).matchAll(/^(?:import|export) (?!type\b)[^;]*?'(\.[^']+)';/gm);
    for (const [, specifier = ''] of imports) paths.add(join(dirname(path), specifier));
  }
  return quotedWords([...paths].filter((path) => /\.tsx?$/.test(path)));
}

function quotedWords(paths: string[]): Set<string> {
  const words = new Set<string>();
  for (const path of paths) {
    for (const [, word = ''] of readSource(path).matchAll(/'(\w+)'/g)) words.add(word);
  }
  return words;
}

function readSource(path: string): string {
  return readFileSync(join(PROJECT_FOLDER, path), 'utf8');
}
