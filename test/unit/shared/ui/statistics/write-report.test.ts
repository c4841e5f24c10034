import { expect, test } from 'vitest';
import { cellsOfCsv, splitCsv } from '../../../../../shared/csv.ts';
import { writeReport } from '../../../../../shared/ui/statistics/state/write-report.ts';
import { aReport } from './a-report.ts';

const parse = (csv: string) => splitCsv(csv).map(cellsOfCsv);

test('the file has every number of the report, and times with their offset', () => {
  const targets = [{ key: 'https://b.example/', people: 2 }];
  expect(parse(writeReport({ ...aReport(), targets }))).toEqual([
    ['kind', 'value', 'people', 'uniquePeople', 'previews', 'bots'],
    ['total', 'Europe/Berlin', '5', '4', '2', '1'],
    ['day', '2026-03-28T00:00:00+01:00', '4', '3', '2', '1'],
    ['day', '2026-03-29T00:00:00+01:00', '1', '1', '0', '0'],
    ['target', 'https://b.example/', '2', '', '', ''],
    ['referrer', 'direct', '3', '', '', ''],
    ['referrer', 'news.example', '2', '', '', ''],
    ['browser', 'Firefox', '5', '', '', ''],
    ['system', 'unknown', '5', '', '', ''],
    ['device', 'mobile', '5', '', '', ''],
    ['country', 'DE', '4', '', '', ''],
    ['country', 'other', '1', '', '', ''],
  ]);
});

test.each([
  ['UTC', '2026-03-27T23:00:00+00:00'],
  ['Asia/Kolkata', '2026-03-28T04:30:00+05:30'],
  ['America/St_Johns', '2026-03-27T20:30:00-02:30'],
])('a time in %s is written as %s', (timeZone, time) => {
  const [, , first] = parse(writeReport(aReport({ timeZone })));
  expect(first?.[1]).toBe(time);
});

test('a referrer that a spreadsheet would run as a formula is text', () => {
  const key = '=HYPERLINK("https://evil.example")';
  const csv = writeReport(aReport({ referrers: [{ key, people: 1 }] }));
  expect(csv).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
});
