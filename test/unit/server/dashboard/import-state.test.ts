import { expect, test } from 'vitest';
import { fileType } from '../../../../server/dashboard/account/transfer/import-state.ts';

test.each([
  ['csv', 'links.csv', 'text/csv'],
  ['csv', 'links.tsv', 'text/csv'],
  ['csv', 'links.txt', 'text/csv'],
  ['csv', 'links.json', 'text/csv'],
  ['shlink', 'export.csv', 'text/csv'],
  ['curt', 'csv-backup.json', 'application/json'],
  ['kutt', 'Links.JSON', 'application/json'],
] as const)('with the source %s, %s is sent as its own type', (from, name, type) => {
  expect(fileType(from, name)).toBe(type);
});
