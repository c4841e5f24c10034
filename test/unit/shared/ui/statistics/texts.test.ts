import { afterEach, describe, expect, test } from 'vitest';
import { fillIn } from '../../../../../shared/i18n/fill-in.ts';
import { setMessageSource } from '../../../../../shared/i18n/translate.ts';
import { readLocales } from '../../../../../shared/locales/read-locales.ts';
import {
  formatCounts,
  formatPeriod,
  formatRange,
  formatTick,
  SERIES,
} from '../../../../../shared/ui/statistics/report.ts';
import {
  countryName,
  deviceName,
  referrerName,
  valueName,
} from '../../../../../shared/ui/statistics/value-names.ts';
import { aReport } from './a-report.ts';

const locales = readLocales();
const show = (language: string) =>
  setMessageSource((key, substitutions) => fillIn(locales[language]?.[key] ?? '', substitutions));

afterEach(() => setMessageSource(() => ''));

test('countries have their names in the shown language', () => {
  show('de');
  expect(['DE', 'US', 'unknown', 'other'].map(countryName)).toEqual([
    'Deutschland',
    'Vereinigte Staaten',
    'Unbekannt',
    'Andere',
  ]);
});

test('other values are shown as they are, unless they are Curt’s own', () => {
  show('en');
  expect(['Firefox', 'other', 'unknown'].map(valueName)).toEqual(['Firefox', 'Other', 'Unknown']);
  expect(['direct', 'news.example'].map(referrerName)).toEqual(['Direct', 'news.example']);
  expect(['mobile', 'other', 'constructor'].map(deviceName)).toEqual([
    ...['Phone', 'Other', 'constructor'],
  ]);
});

describe('periods', () => {
  const start = '2026-03-27T23:00:00.000Z';

  test('are those of the report’s time zone', () => {
    show('en');
    expect(formatPeriod(start, aReport())).toBe('Saturday, March 28, 2026');
    expect(formatTick(start, aReport())).toBe('Mar 28');
    expect(formatRange(aReport()).replaceAll(/\s/g, ' ')).toBe('Mar 28 – 29, 2026');
  });

  test('of an hour and a month have their own formats', () => {
    show('en');
    const hours = aReport({ unit: 'hour', timeZone: 'UTC' });
    expect(formatPeriod(start, hours).replaceAll(/\s/g, ' ')).toBe('Mar 27, 2026, 11:00 PM');
    expect(formatPeriod(start, aReport({ unit: 'month' }))).toBe('March 2026');
  });
});

test('counts are listed by kind', () => {
  show('en');
  const { totals } = aReport();
  expect(formatCounts(totals, SERIES)).toBe('Visits: 5, Visitors: 4, Previews: 2, Bots: 1');
  expect(formatCounts(totals, ['bots'])).toBe('Bots: 1');
});
