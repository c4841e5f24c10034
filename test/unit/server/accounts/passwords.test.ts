import { setImmediate } from 'node:timers/promises';
import { hash } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { createPasswords } from '../../../../server/accounts/passwords.ts';
import type { ClientAddress } from '../../../../server/limits/client-address.ts';

const CHEAP = { memoryCost: 8, timeCost: 1 };
const BUSY = { name: 'ServiceError', code: 'busy', details: { retryAfterSeconds: 1 } };

describe('a password', () => {
  const passwords = startPasswords({ maxRunning: 2 });

  async function link(password: string) {
    return { id: 'link', passwordHash: await passwords.hash(password, 'account') };
  }

  test('is stored as an argon2id hash with its own salt', async () => {
    const { hash } = startPasswords({ maxRunning: 2, cost: undefined });
    const [first, second] = await Promise.all(
      ['one', 'other'].map((account) => hash('secret', account)),
    );
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22,}\$[\w+/]{43}$/);
    expect(first).not.toBe(second);
  });

  test('matches only its own hash', async () => {
    const locked = await link('Correct horse');
    expect(await passwords.matches('Correct horse', locked)).toBe(true);
    for (const other of ['correct horse', 'Correct horse ', 'Correct  horse', 'Correct hors', '']) {
      expect(await passwords.matches(other, locked), other).toBe(false);
    }
  });

  test('is compared to its last character', async () => {
    const locked = await link(`${'x'.repeat(127)}a`);
    expect(await passwords.matches(`${'x'.repeat(127)}a`, locked)).toBe(true);
    expect(await passwords.matches(`${'x'.repeat(127)}b`, locked)).toBe(false);
  });

  test.each([
    ['caf\u00e9', 'cafe\u0301'],
    ['\u212bngstrom', '\u00c5ngstrom'],
    ['\uff11\uff12\uff13', '123'],
    ['\ufb01sh', 'fish'],
  ])('is normalized (NFKC): %j and %j', async (one, other) => {
    expect(await passwords.matches(other, await link(one))).toBe(true);
    expect(await passwords.matches(one, await link(other))).toBe(true);
  });
});

describe('hashing', () => {
  test('accepts 64 concurrent calls, 16 of them for one link; others fail with busy', async () => {
    const { matches } = startPasswords({ maxRunning: 2 });
    const passwordHash = await hashCheaply();
    const visits = (id: string) => outcomes(20, () => matches('secret', { id, passwordHash }));
    expect(await Promise.all(['a', 'b', 'c', 'd', 'e'].map(visits))).toEqual([
      ...Array(4).fill({ done: 16, busy: 4 }),
      { done: 0, busy: 20 },
    ]);
  });

  test('for new links uses no more capacity than for one link', async () => {
    const { hash } = startPasswords({ maxRunning: 2 });
    const ofMany = await outcomes(20, (place) => hash('secret', `account-${place}`));
    expect(ofMany).toEqual({ done: 16, busy: 4 });
  });

  test('for the links of one account leaves room for those of others', async () => {
    const { hash } = startPasswords({ maxRunning: 2 });
    const ofOne = outcomes(20, () => hash('secret', 'one'));
    expect(await outcomes(15, (place) => hash('secret', `other-${place}`))).toEqual({
      done: 15,
      busy: 0,
    });
    expect(await ofOne).toEqual({ done: 16, busy: 4 });
  });

  test.each<[string, (place: number) => ClientAddress]>([
    ['an address', () => ({ client: '192.0.2.1', networks: [] })],
    [
      'a network',
      (place) => ({ client: `${place}::/64`, networks: ['2001:db8::/48', `${place}/56`] }),
    ],
  ])(
    'for new links leaves half of the places to others than %s with many accounts',
    async (_, from) => {
      const { hash } = startPasswords({ maxRunning: 2 });
      const ofOne = outcomes(20, (place) => hash('secret', `account-${place}`, from(place)));
      const ofOthers = outcomes(10, (place) => hash('secret', `other-${place}`));
      expect(await ofOthers).toEqual({ done: 8, busy: 2 });
      expect(await ofOne).toEqual({ done: 8, busy: 12 });
    },
  );

  test('for visitors leaves places to others than a network that asks for many links', async () => {
    const { matches } = startPasswords({ maxRunning: 2 });
    const passwordHash = await hashCheaply();
    const visit = (id: string, networks: [string, string] | []) =>
      matches('secret', { id, passwordHash }, { client: id, networks });
    const ofOne = outcomes(70, (place) => visit(`link-${place}`, ['2001:db8::/48', `${place}/56`]));
    expect(await outcomes(20, (place) => visit(`other-${place}`, []))).toEqual({
      done: 20,
      busy: 0,
    });
    expect(await ofOne).toEqual({ done: 16, busy: 54 });
  });

  test('has its full capacity again after a flood', async () => {
    const { hash } = startPasswords({ maxRunning: 2, maxPending: 3 });
    for (let flood = 0; flood < 3; flood++) {
      expect(await outcomes(6, (place) => hash('secret', `account-${place}`))).toEqual({
        done: 3,
        busy: 3,
      });
    }
  });

  test('limits hashing and verifying together', async () => {
    const { hash, matches } = startPasswords({ maxRunning: 1, maxPending: 1 });
    const link = { id: 'link', passwordHash: await hash('secret', 'account') };
    const running = matches('secret', link);
    await expect(hash('secret', 'account')).rejects.toMatchObject(BUSY);
    await expect(matches('secret', { ...link, id: 'other' })).rejects.toMatchObject(BUSY);
    expect(await running).toBe(true);
    expect(await matches('secret', link)).toBe(true);
  });

  test('releases the capacity of a failed call for waiting and new calls', async () => {
    const { hash, matches } = startPasswords({ maxRunning: 1, maxPending: 2 });
    const failing = matches('secret', { id: 'link', passwordHash: 'no hash at all' });
    const waiting = hash('secret', 'account');
    await expect(failing).rejects.not.toMatchObject(BUSY);
    expect(await waiting).toContain('$argon2id$');
    expect(await outcomes(3, (place) => hash('secret', `account-${place}`))).toEqual({
      done: 2,
      busy: 1,
    });
  });

  /** Which hashes were verified, in this order, and how many at most at the same time. */
  function watchVerifying() {
    const started: string[] = [];
    let running = 0;
    const watched = { started, most: 0 };
    const verify = async (passwordHash: unknown) => {
      started.push(String(passwordHash));
      watched.most = Math.max(watched.most, ++running);
      await setImmediate();
      running--;
      return true;
    };
    return Object.assign(watched, { argon2: { hash, verify } });
  }

  test.each([1, 2])(
    'is not delayed by the queue of another link (concurrency %i)',
    async (maxRunning) => {
      const { started, argon2 } = watchVerifying();
      const { matches } = startPasswords({ maxRunning, argon2 });
      const visit = (id: string) => matches('secret', { id, passwordHash: id });
      const flood = Array.from({ length: 16 }, () => visit('flooded'));
      await Promise.all([...flood, visit('quiet')]);
      expect(started.indexOf('quiet')).toBe(1);
    },
  );

  test('leaves threads of the pool for other work', async () => {
    const watched = watchVerifying();
    const { matches } = startPasswords({ maxRunning: 2, argon2: watched.argon2 });
    const visits = Array.from({ length: 12 }, (_, index) =>
      matches('secret', { id: `link ${index % 4}`, passwordHash: '' }),
    );
    await Promise.all(visits);
    expect([watched.started.length, watched.most]).toEqual([12, 2]);
  });
});

/** Each call is from another address, unless the test says from which, and hashes cheaply, unless it says how. */
function startPasswords(options: Parameters<typeof createPasswords>[0]) {
  const { hash, matches } = createPasswords({ cost: CHEAP, ...options });
  let calls = 0;
  const other = (): ClientAddress => ({ client: `client ${calls++}`, networks: [] });
  return {
    hash: (password: string, accountId: string, address = other()) =>
      hash(password, accountId, address),
    matches: (password: string, link: { id: string; passwordHash: string }, address = other()) =>
      matches(password, link, address),
  };
}

/** Takes no time to verify, however few processors are free. */
function hashCheaply(): Promise<string> {
  return hash('secret', CHEAP);
}

async function outcomes(calls: number, call: (place: number) => Promise<unknown>) {
  const places = Array.from({ length: calls }, (_, place) => place);
  const settled = await Promise.allSettled(places.map(call));
  const failures = settled.filter((outcome) => outcome.status === 'rejected');
  for (const { reason } of failures) expect(reason).toMatchObject(BUSY);
  return { done: calls - failures.length, busy: failures.length };
}
