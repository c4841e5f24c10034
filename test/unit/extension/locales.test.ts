import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

type Messages = Record<
  string,
  { message: string; placeholders?: Record<string, { content: string }> }
>;

const EXTENSION = join(import.meta.dirname, '../../../extension');
const LOCALES = join(EXTENSION, 'public/_locales');

const locales = await readdir(LOCALES);
const english = await readMessages('en');
const sources = await readSources();

async function readMessages(locale: string): Promise<Messages> {
  return JSON.parse(await readFile(join(LOCALES, locale, 'messages.json'), 'utf8'));
}

async function readSources(): Promise<[path: string, text: string][]> {
  const paths = (await readdir(EXTENSION, { recursive: true })).filter((path) =>
    /\.(tsx?|html)$/.test(path),
  );
  return Promise.all(
    paths.map(async (path) => [path, await readFile(join(EXTENSION, path), 'utf8')] as const),
  ) as Promise<[string, string][]>;
}

const namesIn = (text: string) => [...text.matchAll(/\$(\w+)\$/g)].map(([, name]) => name).sort();

test('there are the languages that are promised', () => {
  expect([...locales].sort()).toEqual(['ar', 'de', 'en', 'es', 'fr', 'ja']);
});

describe.each(locales)('the texts in %s', (locale) => {
  test('are all there, and no others', async () => {
    expect(Object.keys(await readMessages(locale)).sort()).toEqual(Object.keys(english).sort());
  });

  test('fill in what the English ones fill in', async () => {
    for (const [key, { message, placeholders = {} }] of Object.entries(
      await readMessages(locale),
    )) {
      expect({ key, placeholders }).toEqual({
        key,
        placeholders: english[key]?.placeholders ?? {},
      });
      const names = Object.keys(placeholders).map((name) => name.toUpperCase());
      expect({ key, names: namesIn(message) }).toEqual({ key, names: names.sort() });
    }
  });

  test('name their language as pages and Intl know it', async () => {
    const { language_tag } = await readMessages(locale);
    expect(Intl.getCanonicalLocales(language_tag?.message)).toEqual([locale.replace('_', '-')]);
  });
});

test.each(locales)(
  'the texts in %s are written in the direction of their script',
  async (locale) => {
    const { text_direction } = await readMessages(locale);
    expect(text_direction?.message).toBe(locale === 'ar' ? 'rtl' : 'ltr');
  },
);

test('every text is used', async () => {
  const config = await readFile(join(EXTENSION, '../wxt.config.ts'), 'utf8');
  const code = [config, ...sources.map(([, text]) => text)].join('\n');
  const unused = Object.keys(english).filter(
    (key) => !code.includes(`'${key}'`) && !code.includes(`__MSG_${key}__`),
  );
  expect(unused).toEqual([]);
});

test('no component holds a text of its own', () => {
  const found = sources
    .filter(([path]) => path.endsWith('.tsx'))
    .flatMap(([path, text]) => {
      const jsx = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
      const between = [...jsx.matchAll(/>\s*([^<>{}()=;]*\p{L}{2}[^<>{}()=;]*?)\s*<\/?\w/gu)];
      const attributes = [
        ...jsx.matchAll(/\s(?:title|alt|aria-label|placeholder|label|hint)="([^"]+)"/g),
      ];
      return [...between, ...attributes].map(([, words]) => `${path}: ${words}`);
    });
  expect(found).toEqual([]);
});
