import { isValidElement, toChildArray } from 'preact';
import { expect, test } from 'vitest';
import { TopTables } from '../../../../../shared/ui/statistics/tables/TopTables.tsx';
import { aReport } from './a-report.ts';

test('nothing stands for what has no values', () => {
  const report = aReport({ countries: [] });
  const { children } = TopTables({ report, linkUrl: () => '' }).props;
  const shown = toChildArray(children);
  expect(shown).toHaveLength(4);
  expect(shown.every(isValidElement)).toBe(true);
});
