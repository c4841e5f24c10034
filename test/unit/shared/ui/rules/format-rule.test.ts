import { afterEach, describe, expect, test } from 'vitest';
import { fillIn } from '../../../../../shared/i18n/fill-in.ts';
import { setMessageSource } from '../../../../../shared/i18n/translate.ts';
import type { Rule } from '../../../../../shared/links/destinations.ts';
import { readLocales } from '../../../../../shared/locales/read-locales.ts';
import { formatRule } from '../../../../../shared/ui/rules/format-rule.ts';

const URL_TEXT = 'https://example.com/';
const locales = readLocales();

function inWords(language: string, conditions: Partial<Rule>): string {
  setMessageSource((key, substitutions) => fillIn(locales[language]?.[key] ?? '', substitutions));
  const text = formatRule({ originalUrl: URL_TEXT, ...conditions });
  // Invisible: they keep URLs from left to right.
  return text.replace(/\u200e/g, '').replace(/[\u00a0\u202f]/g, ' ');
}

afterEach(() => setMessageSource(() => ''));

describe('a rule in words', () => {
  test.each<[Partial<Rule>, string]>([
    [{ device: 'phone' }, 'If the device is Phone, go to'],
    // Of a newer server.
    [{ device: 'car' as 'phone' }, 'If the device is car, go to'],
    [{ system: 'iOS' }, 'If the system is iOS, go to'],
    [{ language: 'pt-BR' }, 'If the language is Brazilian Portuguese, go to'],
    [{ country: 'CH' }, 'If the country is Switzerland, go to'],
    [{ query: { name: 'src' } }, 'If the short link has the parameter src, go to'],
    [{ query: { name: 'src', value: 'qr' } }, 'If the short link has the parameter src=qr, go to'],
    [{ share: 30 }, 'If the visitor is among a random 30%, go to'],
    [
      { share: 50, language: 'de', device: 'tablet' },
      'If the device is Tablet, the language is German, and the visitor is among a random 50%, go to',
    ],
  ])('%j: %s', (conditions, words) => {
    expect(inWords('en', conditions)).toBe(`${words} ${URL_TEXT}`);
  });

  test('says from and until when it holds, in local time', () => {
    const from = new Date(2030, 0, 31, 12).toISOString();
    const until = new Date(2030, 1, 28, 18, 30).toISOString();
    expect(inWords('en', { from, until })).toBe(
      `If it is January 31, 2030 at 12:00 PM or later and it is before February 28, 2030 at 6:30 PM, go to ${URL_TEXT}`,
    );
  });

  test.each([
    ['de', 'Wenn das Gerät Smartphone ist und die Sprache Deutsch ist, geht es zu'],
    ['es', 'Si el dispositivo es Teléfono y el idioma es alemán, ir a'],
    ['fr', 'Si l’appareil est Téléphone et la langue est allemand, aller à'],
  ])('in %s: %s', (language, words) => {
    const conditions = { device: 'phone', language: 'de' } as const;
    expect(inWords(language, conditions)).toBe(`${words} ${URL_TEXT}`);
  });
});
