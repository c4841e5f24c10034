import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, test } from 'vitest';
import { TRANSLATORS, type VisitKey } from '../../server/web/views/translator.ts';
import english from '../../shared/locales/en.json' with { type: 'json' };
import { readLocales } from '../../shared/locales/read-locales.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Everything that shows texts. */
const FOLDERS = ['extension', 'shared', 'server'];
/** The product's name is the same in every language. */
const PRODUCT = /\bCurt\b/g;
const READ_ATTRIBUTES = new Set(['title', 'alt', 'aria-label', 'placeholder', 'label', 'hint']);
const PLURAL = /^(.+)_(zero|one|two|few|many|other)$/;

const locales = readLocales();
const englishTexts: Record<string, { message: string; placeholders?: string[] }> = english;
const sources = await readSources();

async function readSources(): Promise<[path: string, text: string][]> {
  const paths = FOLDERS.flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx,html,eta}`, { cwd: ROOT }),
  );
  return Promise.all(
    paths.map(async (path): Promise<[string, string]> => {
      return [path, await readFile(join(ROOT, path), 'utf8')];
    }),
  );
}

const placesIn = (text: string) => [...text.matchAll(/\$\d/g)].map(([place]) => place).sort();
/** `links_count` for `links_count_few`; other keys are returned unchanged. */
const withoutForm = (key: string) => PLURAL.exec(key)?.[1] ?? key;

test('all promised languages exist', () => {
  expect(Object.keys(locales)).toEqual(['ar', 'de', 'en', 'es', 'fr', 'ja']);
});

test('every English text has a description for translators', () => {
  const without = Object.entries(english).filter(([, { description }]) => !description);
  expect(without).toEqual([]);
});

describe.each(Object.entries(locales))('the texts in %s', (locale, texts) => {
  test('are complete, and there are no others', () => {
    const keys = (of: object) => [...new Set(Object.keys(of).map(withoutForm))];
    expect(keys(texts).sort()).toEqual(keys(english).sort());
  });

  test('have exactly the plural forms of the language', () => {
    const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
    const plurals = Map.groupBy(
      Object.keys(texts).filter((key) => PLURAL.test(key)),
      withoutForm,
    );
    expect(plurals.size).toBeGreaterThan(2);
    for (const [key, forms] of plurals) {
      const expected = pluralCategories.map((form) => `${key}_${form}`);
      expect(forms.filter((form) => !expected.includes(form))).toEqual([]);
      expect(forms).toContain(`${key}_other`);
    }
  });

  test('use the placeholders of the English texts', () => {
    for (const [key, text] of Object.entries(texts)) {
      const [, name = key, form = 'other'] = PLURAL.exec(key) ?? [];
      const { placeholders = [] } = englishTexts[key] ?? englishTexts[`${name}_other`] ?? {};
      const count = `$${placeholders.indexOf('count') + 1}`;
      const places = placesIn(text);
      // “One link” needs no number.
      if (form !== 'other' && count !== '$0' && !places.includes(count)) places.push(count);
      const needed = placeholders.map((_, index) => `$${index + 1}`);
      expect({ key, places: places.sort() }).toEqual({ key, places: needed });
    }
  });

  test('have nothing that browsers read as the name of a placeholder', () => {
    expect(Object.values(texts).filter((text) => /\$[\w@]+\$|\$\$/.test(text))).toEqual([]);
  });

  test('name their language as a BCP 47 tag', () => {
    expect(Intl.getCanonicalLocales(texts.language_tag ?? '')).toEqual([locale]);
  });

  test('name the direction of their script', () => {
    expect(texts.text_direction).toBe(locale === 'ar' ? 'rtl' : 'ltr');
  });
});

test('every text is used', async () => {
  const config = await readFile(join(ROOT, 'wxt.config.ts'), 'utf8');
  const code = [config, ...sources.map(([, text]) => text)].join('\n');
  const used = new Set(code.match(/(?<='|__MSG_)(?!__)\w+?(?='|__\b)/g));
  const unused = Object.keys(english).filter(
    (key) => !used.has(key) && !used.has(withoutForm(key)),
  );
  expect(unused).toEqual([]);
});

test('templates use only texts that pages for visitors have', () => {
  const templates = sources.filter(([path]) => path.endsWith('.eta'));
  const keys = templates.flatMap(([, text]) => [...text.matchAll(/\.t\('(\w+)'/g)]);
  expect(keys.length).toBeGreaterThan(20);
  const page = TRANSLATORS.get('en');
  expect(keys.map(([, key]) => key).filter((key) => !page?.t(key as VisitKey))).toEqual([]);
});

test('no template contains a hard-coded text', () => {
  // The API and its reference are in English.
  const inEnglish = 'server/web/views/templates/api-reference.eta';
  const found = sources
    .filter(([path]) => path.endsWith('.eta') && path !== inEnglish)
    .flatMap(([path, text]) => {
      const html = text
        .replace(PRODUCT, '')
        .replace(/<%[\s\S]*?%>|<(code|script|style)\b[\s\S]*?<\/\1>/g, '');
      const between = [...html.matchAll(/>([^<>]*\p{L}{2}[^<>]*)</gu)];
      const attributes = [...html.matchAll(/\s(?:title|alt|aria-label|placeholder)="([^"]+)"/g)];
      const titles = [...text.matchAll(/pageTitle: (['"`])([\s\S]*?)\1 \}/g)]
        .map(([, , title = '']) => title.replace(/\$\{[^}]*\}/g, '').replace(PRODUCT, ''))
        .filter((title) => /\p{L}{2}/u.test(title));
      return [...[...between, ...attributes].map(([, words]) => words), ...titles].map(
        (words) => `${path}: ${words?.trim()}`,
      );
    });
  expect(found).toEqual([]);
});

test('no component contains a hard-coded text', () => {
  const found = sources
    .filter(([path]) => path.endsWith('.tsx'))
    .flatMap(([path, text]) => {
      const words = [...wordsInJsx(parseSync(path, text).program)];
      return words.filter((word) => /\p{L}{2}/u.test(word)).map((word) => `${path}: ${word}`);
    });
  expect(found).toEqual([]);
});

/** Texts between tags and in attributes that people read, anywhere in a syntax tree. */
function* wordsInJsx(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  const { type, name, value } = node as {
    type?: string;
    name?: { name?: string };
    value?: unknown;
  };
  if (type === 'JSXText') yield String(value).trim();
  const isRead = READ_ATTRIBUTES.has(name?.name ?? '');
  if (type === 'JSXAttribute' && isRead && (value as { type?: string } | null)?.type === 'Literal')
    yield (value as { value: string }).value;
  for (const child of Object.values(node)) yield* wordsInJsx(child);
}
