import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';
import { type LocaleTexts, readLocales } from '../../../shared/locales/read-locales.ts';

const PROJECT_FOLDER = join(import.meta.dirname, '../../..');
/** The code that the dashboard shows texts with. */
const SOURCES = ['server/dashboard', 'shared/ui', 'shared/i18n', 'shared/links'];
/** The administrator's pages have texts of their own, which nobody else loads. */
const ADMIN_SOURCE = 'server/dashboard/admin/';
/** At the end of an import: the texts of these pages, too. */
const ADMIN_QUERY = '?admin';
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
      filter: { id: /\/shared\/locales\/\w+\.json(\?admin)?$/ },
      handler(id) {
        const [path = '', isForAdmin = false] = id.endsWith(ADMIN_QUERY)
          ? [id.slice(0, -ADMIN_QUERY.length), true]
          : [id];
        const texts = pickMessages(basename(path, '.json'), isForAdmin);
        return { code: JSON.stringify(texts), moduleType: 'json' };
      },
    },
  };
}

/** The texts of a language whose keys are in the source, in quotes, as a whole or without a plural form. */
export function pickMessages(language: string, isForAdmin = false): LocaleTexts {
  const used = quotedWords(isForAdmin);
  const messages = Object.entries(readLocales()[language] ?? {});
  return Object.fromEntries(
    messages.filter(([key]) => used.has(key) || used.has(key.replace(PLURAL_FORM, ''))),
  );
}

function quotedWords(isForAdmin: boolean): Set<string> {
  const words = new Set<string>();
  for (const path of globSync(`{${SOURCES}}/**/*.{ts,tsx}`, { cwd: PROJECT_FOLDER })) {
    if (path.startsWith(ADMIN_SOURCE) && !isForAdmin) continue;
    const source = readFileSync(join(PROJECT_FOLDER, path), 'utf8');
    for (const [, word = ''] of source.matchAll(/'(\w+)'/g)) words.add(word);
  }
  return words;
}
