import { describe, expect, test } from 'vitest';
import { createPasswords } from '../../../../server/accounts/passwords.ts';

const BUSY = { name: 'ServiceError', code: 'busy', details: { retryAfterSeconds: 1 } };

describe('a password', () => {
  const passwords = createPasswords();

  test('is kept as an argon2id hash with a salt of its own', async () => {
    const [first, second] = await Promise.all([passwords.hash('secret'), passwords.hash('secret')]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22,}\$[\w+/]{43}$/);
    expect(first).not.toBe(second);
  });

  test('matches its own hash, and no other password does', async () => {
    const hash = await passwords.hash('Correct horse');
    expect(await passwords.matches('Correct horse', hash)).toBe(true);
    for (const other of ['correct horse', 'Correct horse ', 'Correct  horse', 'Correct hors', '']) {
      expect(await passwords.matches(other, hash), other).toBe(false);
    }
  });

  test('counts to its last character', async () => {
    const hash = await passwords.hash(`${'x'.repeat(127)}a`);
    expect(await passwords.matches(`${'x'.repeat(127)}a`, hash)).toBe(true);
    expect(await passwords.matches(`${'x'.repeat(127)}b`, hash)).toBe(false);
  });

  test.each([
    ['caf\u00e9', 'cafe\u0301'],
    ['\u212bngstrom', '\u00c5ngstrom'],
    ['\uff11\uff12\uff13', '123'],
    ['\ufb01sh', 'fish'],
  ])('is the same from another keyboard (NFKC): %j and %j', async (one, other) => {
    expect(await passwords.matches(other, await passwords.hash(one))).toBe(true);
    expect(await passwords.matches(one, await passwords.hash(other))).toBe(true);
  });
});

describe('hashing at bounded concurrency', () => {
  test('takes 4 calls at once and lets 32 wait; the next ones are busy', async () => {
    const { hash } = createPasswords();
    expect(await outcomes(40, () => hash('secret'))).toEqual({ done: 36, busy: 4 });
  });

  test('has its full room again after a flood, and no more than that', async () => {
    const { hash } = createPasswords({ maxRunning: 2, maxWaiting: 1 });
    for (let flood = 0; flood < 3; flood++) {
      expect(await outcomes(6, () => hash('secret'))).toEqual({ done: 3, busy: 3 });
    }
  });

  test('bounds hashes and checks together', async () => {
    const { hash, matches } = createPasswords({ maxRunning: 1, maxWaiting: 0 });
    const passwordHash = await hash('secret');
    const running = matches('secret', passwordHash);
    await expect(hash('secret')).rejects.toMatchObject(BUSY);
    await expect(matches('secret', passwordHash)).rejects.toMatchObject(BUSY);
    expect(await running).toBe(true);
    expect(await matches('secret', passwordHash)).toBe(true);
  });

  test('frees the place of a call that fails, for who waits and for who comes', async () => {
    const { hash, matches } = createPasswords({ maxRunning: 1, maxWaiting: 1 });
    const failing = matches('secret', 'no hash at all');
    const waiting = hash('secret');
    await expect(failing).rejects.not.toMatchObject(BUSY);
    expect(await waiting).toContain('$argon2id$');
    expect(await outcomes(3, () => hash('secret'))).toEqual({ done: 2, busy: 1 });
  });
});

async function outcomes(calls: number, call: () => Promise<unknown>) {
  const settled = await Promise.allSettled(Array.from({ length: calls }, call));
  const failures = settled.filter((outcome) => outcome.status === 'rejected');
  for (const { reason } of failures) expect(reason).toMatchObject(BUSY);
  return { done: calls - failures.length, busy: failures.length };
}
