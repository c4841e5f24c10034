import { expect, test } from 'vitest';
import { timeText } from '../../../../../server/links/transfer/formats/fields.ts';

const NOON = Date.UTC(2026, 0, 31, 12);

test.each([
  ['2026-01-31T12:00:00Z', NOON],
  ['2026-01-31t12:00:00z', NOON],
  ['2026-01-31 12:00:00', NOON],
  ['2026-01-31 12:00', NOON],
  ['2026-01-31 12:00:00 UTC', NOON],
  ['2026-01-31 12:00:00.000 Z', NOON],
  [' 2026-01-31 13:00:00+0100 ', NOON],
  ['2026-01-31 13:00:00+01', NOON],
  ['2026-01-31 13:00:00 +01:00', NOON],
  ['2026-01-31', Date.UTC(2026, 0, 31)],
  ['0000-00-00 00:00:00', null],
])('in a file, %j is a time', (text, time) => {
  expect(timeText.parse(text)).toBe(time);
});

test.each(['', '31.01.2026', '2026-02-30', '2026-01-31 25:00', '2026-01-31 12:00 CET', '12:00'])(
  'in a file, %j is none',
  (text) => {
    expect(timeText.safeParse(text).success).toBe(false);
  },
);
