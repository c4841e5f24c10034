import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { formatDay } from '../../../../shared/i18n/format-time.ts';
import { setMessageSource } from '../../../../shared/i18n/translate.ts';

beforeEach(() => setMessageSource(() => 'en'));
afterEach(() => {
  setMessageSource(() => '');
  vi.unstubAllEnvs();
});

test('a date without a time is the same west of UTC', () => {
  vi.stubEnv('TZ', 'America/Los_Angeles');
  expect(formatDay('2026-11-23')).toMatch(/23/);
});
