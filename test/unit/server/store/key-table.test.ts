import { expect, test } from 'vitest';
import { KeyTable } from '../../../../server/store/json-file/data/key-table.ts';
import { IDEMPOTENCY_WINDOW_MS } from '../../../../shared/bounds.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const YEAR_MS = 365 * 86_400_000;

const usedAt = (created: number) => ({
  ...{ bodyHash: 'body', tokenSalt: null, linkId: 'link', created },
});

test('expired keys are deleted, also after one that was used while the clock was a year ahead', () => {
  const keys = new KeyTable(() => undefined);
  keys.set('ahead', usedAt(NOW + YEAR_MS));
  for (const key of ['one', 'two']) keys.set(key, usedAt(NOW));
  keys.set('late', usedAt(NOW + 2 * IDEMPOTENCY_WINDOW_MS));
  const now = NOW + 2 * IDEMPOTENCY_WINDOW_MS;
  keys.deleteExpired(now, now, 10);
  const left = ['ahead', 'one', 'two', 'late'].filter((key) => keys.get(key));
  expect(left).toEqual(['ahead', 'late']);
});
