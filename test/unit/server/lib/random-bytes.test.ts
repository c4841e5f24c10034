import { expect, test } from 'vitest';
import { newId } from '../../../../server/lib/random-bytes.ts';

test('an id does not begin with a hyphen, which would make it an option of a command', () => {
  const bytes = [Buffer.alloc(12, 0xfb), Buffer.alloc(12, 0x01)];
  expect(Buffer.alloc(12, 0xfb).toString('base64url')).toMatch(/^-/);
  expect(newId(() => bytes.shift() ?? Buffer.alloc(0))).toBe('AQEBAQEBAQEBAQEB');
});
