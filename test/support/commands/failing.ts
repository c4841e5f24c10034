import { test } from 'vitest';

test('fails on purpose', () => {
  throw new Error('on purpose');
});
