import { isValidElement, toChildArray, type VNode } from 'preact';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { setMessageSource } from '../../../../../shared/i18n/translate.ts';
import { TopTables, type TopTablesProps } from '../../../../../shared/ui/statistics/TopTables.tsx';
import { aReport } from './a-report.ts';

beforeAll(() => {
  setMessageSource((key) => (key === 'language_tag' ? 'en' : key));
  // Without flags.
  vi.stubGlobal('document', { createElement: () => ({ getContext: () => null }) });
});
afterAll(() => {
  vi.unstubAllGlobals();
});

type Row = { key: string; people: number };

/** The rows of each table, by its title. */
function tablesOf(props: Partial<TopTablesProps>): Record<string, Row[]> {
  const { children } = TopTables({ report: aReport(), linkUrl: () => '', ...props }).props;
  const shown = toChildArray(children);
  expect(shown.every(isValidElement)).toBe(true);
  const tables = shown as VNode<{ title: string; rows: Row[] }>[];
  return Object.fromEntries(
    tables.map(({ props: { title, rows } }) => [
      title,
      rows.map(({ key, people }) => ({ key, people })),
    ]),
  );
}

test('nothing stands for what has no values, nor for countries if none is known', () => {
  const known = ['top_referrers', 'top_countries', 'top_browsers', 'top_systems', 'top_devices'];
  expect(Object.keys(tablesOf({}))).toEqual(known);
  const countries = [{ key: 'unknown', people: 5 }];
  const without = known.filter((title) => title !== 'top_countries');
  expect(Object.keys(tablesOf({ report: aReport({ countries }) }))).toEqual(without);
});

test('shares of links are those of all visits, not of the most visited links', () => {
  const topLinks = [
    { alias: 'a', shortUrl: 'https://go.example/a', title: '', label: '', people: 2 },
  ];
  expect(tablesOf({ report: { ...aReport(), topLinks, otherLinks: 3 } }).nav_links).toEqual([
    { key: 'a', people: 2 },
    { key: 'other', people: 3 },
  ]);
});
