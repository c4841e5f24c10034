import { expect, test } from 'vitest';
import { newAdminSession, readAdminSession } from '../../../../server/accounts/sign-in.ts';
import { ManualTime, START } from '../../../support/manual-time.ts';

const HOUR_MS = 3_600_000;

test('an administrator’s session ends after 8 hours, and with a clock that was ahead', () => {
  const time = new ManualTime();
  const settings = { adminIdentities: ['ann'] };
  const dependencies = { settings, clock: time.now, dataSecret: Buffer.alloc(32) };
  const { token } = newAdminSession('ann', dependencies);
  time.setClock(START + 8 * HOUR_MS - 1);
  expect(readAdminSession(token, dependencies)).toBe('ann');
  time.setClock(START + 8 * HOUR_MS);
  expect(readAdminSession(token, dependencies)).toBeUndefined();
  time.setClock(START - 24 * HOUR_MS);
  expect(readAdminSession(token, dependencies)).toBeUndefined();
});
