import { describe, expect, test } from 'vitest';
import {
  chooseTarget,
  OWN_TARGET,
  type VisitFacts,
} from '../../../../shared/links/choose-target.ts';
import type { Rule } from '../../../../shared/links/destinations.ts';

const NOW = '2026-11-20T12:00:00.000Z';
const FACTS: VisitFacts = {
  time: NOW,
  families: { device: 'mobile', system: 'Android' },
  acceptLanguage: 'de-CH,de;q=0.9,en;q=0.8',
  country: 'CH',
  query: new URLSearchParams('src=qr&src=print&empty='),
  percentile: 50,
};

const rule = (conditions: Partial<Rule>): Rule => ({
  originalUrl: 'https://example.com/',
  ...conditions,
});
const choose = (conditions: Partial<Rule>[], facts: Partial<VisitFacts> = {}) =>
  chooseTarget(conditions.map(rule), { ...FACTS, ...facts });

describe('a rule matches', () => {
  test.each<[string, Partial<Rule>, Partial<VisitFacts>]>([
    ['phones', { device: 'phone' }, { families: { device: 'mobile', system: 'other' } }],
    ['tablets', { device: 'tablet' }, { families: { device: 'tablet', system: 'other' } }],
    ['computers', { device: 'computer' }, { families: { device: 'desktop', system: 'other' } }],
    ['a system', { system: 'Android' }, {}],
    ['a country', { country: 'CH' }, {}],
    ['a language', { language: 'de' }, {}],
    ['a parameter with any value', { query: { name: 'src' } }, {}],
    ['one of several values', { query: { name: 'src', value: 'print' } }, {}],
    ['an empty value', { query: { name: 'empty', value: '' } }, {}],
    ['from its start', { from: NOW }, {}],
    ['until its end', { until: '2026-11-20T12:00:00.001Z' }, {}],
    ['everybody', { share: 100 }, { percentile: 99 }],
    ['all conditions at once', { device: 'phone', country: 'CH', share: 51 }, {}],
  ])('%s', (_, conditions, facts) => {
    expect(choose([conditions], facts)).toBe(0);
  });
});

describe('a rule does not match', () => {
  test.each<[string, Partial<Rule>, Partial<VisitFacts>]>([
    ['other devices', { device: 'computer' }, {}],
    ['unknown devices', { device: 'phone' }, { families: { device: 'other', system: 'other' } }],
    ['other systems', { system: 'iOS' }, {}],
    ['other countries', { country: 'DE' }, {}],
    ['unknown countries', { country: 'CH' }, { country: undefined }],
    ['other languages', { language: 'fr' }, {}],
    ['another parameter', { query: { name: 'ref' } }, {}],
    ['another value', { query: { name: 'src', value: 'mail' } }, {}],
    ['before its start', { from: '2026-11-20T12:00:00.001Z' }, {}],
    ['at its end', { until: NOW }, {}],
    ['those beyond its share', { share: 50 }, {}],
    ['if one of its conditions does not hold', { device: 'phone', country: 'DE' }, {}],
  ])('%s', (_, conditions, facts) => {
    expect(choose([conditions], facts)).toBe(OWN_TARGET);
  });
});

test('the first rule that matches wins', () => {
  expect(choose([{ country: 'DE' }, { device: 'phone' }, { country: 'CH' }])).toBe(1);
  expect(choose([])).toBe(OWN_TARGET);
});

test('shares add up, and only those whose other conditions hold', () => {
  const sides = [{ share: 30 }, { share: 30 }];
  const at = (percentile: number) => choose(sides, { percentile });
  expect([0, 29, 30, 59, 60, 99].map(at)).toEqual([0, 0, 1, 1, OWN_TARGET, OWN_TARGET]);
  const mixed = [{ share: 90, country: 'DE' }, { share: 10 }];
  expect(choose(mixed, { percentile: 5 })).toBe(1);
  expect(choose(mixed, { percentile: 10 })).toBe(OWN_TARGET);
});

describe('of the languages that rules name, the visitor gets the preferred one', () => {
  const chosen = (acceptLanguage: string | undefined, ...languages: string[]) => {
    const index = choose(
      languages.map((language) => ({ language })),
      { acceptLanguage },
    );
    return languages[index];
  };

  test.each([
    ['de-CH, en;q=0.5', ['en', 'de'], 'de'],
    ['fr, en;q=0.5, de;q=0.9', ['en', 'de'], 'de'],
    ['fr;q=1, it;q=0.9', ['en', 'de'], undefined],
    ['pt-PT', ['pt-BR'], 'pt-BR'],
    ['pt-PT', ['pt-BR', 'pt-PT'], 'pt-PT'],
    ['pt', ['pt-BR', 'pt-PT'], 'pt-BR'],
    ['zh-TW', ['zh-Hant', 'zh-Hant-TW', 'zh-TW'], 'zh-TW'],
    ['zh-TW', ['zh-CN', 'zh-Hant'], 'zh-Hant'],
    ['zh-TW', ['zh-CN'], undefined],
    ['zh-TW, en;q=0.5', ['en', 'zh'], 'zh'],
    ['zh-HK', ['zh', 'zh-Hant'], 'zh-Hant'],
    ['zh-Hant-HK', ['zh-TW', 'zh-HK'], 'zh-HK'],
    ['zh-Hans-SG', ['zh-Hant', 'zh'], 'zh'],
    ['es-AR', ['es-ES', 'es'], 'es'],
    ['sr-Latn-RS', ['sr-Cyrl', 'sr'], 'sr'],
    ['nb-NO', ['en', 'no'], 'no'],
    ['nn', ['no', 'en'], 'no'],
    ['no', ['en', 'nb'], 'nb'],
    ['nn-NO, nb;q=0.9', ['nb', 'nn'], 'nn'],
    ['nb', ['da', 'sv'], undefined],
    ['iw', ['he'], 'he'],
    ['DE', ['de'], 'de'],
    ['en;q=0, de;q=0.1', ['en', 'de'], 'de'],
    ['*', ['en'], undefined],
    ['!, de', ['de'], 'de'],
    ['', ['de'], undefined],
    [undefined, ['de'], undefined],
    [`${'en,'.repeat(100)}`, ['en'], undefined],
  ])('%s of %j: %s', (header, languages, expected) => {
    expect(chosen(header, ...languages)).toBe(expected);
  });

  test('also if the rule that names it comes later, and its other conditions do not hold', () => {
    const facts = { acceptLanguage: 'de, en;q=0.5' };
    expect(choose([{ language: 'en' }, { language: 'de', country: 'DE' }], facts)).toBe(OWN_TARGET);
  });
});
