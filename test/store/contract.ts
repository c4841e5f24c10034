import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Account, Idempotency, LinkWish, Store } from '../../server/store/store.ts';
import { IDEMPOTENCY_WINDOW_MS } from '../../shared/limits.ts';

export const NOW = Date.UTC(2026, 10, 20, 12);

/** A store that a test may close and open again on the same data. */
export type Subject = { store: Store; reopen: () => Promise<Store> };

export function wishFor(alias: string, changes: Partial<LinkWish> = {}): LinkWish {
  return {
    link: {
      id: randomBytes(12).toString('base64url'),
      accountId: 'account-1',
      aliasIsCustom: true,
      originalUrl: 'https://example.com/page',
      title: '',
      description: null,
      passwordHash: null,
      expiresAt: null,
      waitTimerSeconds: 0,
      gtmId: null,
      isActive: true,
      hits: 0,
      created: NOW,
      modified: NOW,
    },
    aliases: [alias],
    newAccount: null,
    idempotency: null,
    monthlyQuota: 1000,
    ...changes,
  };
}

function newAccount(): Account {
  return { id: randomUUID(), tokenHash: randomUUID(), created: NOW };
}

function newKey(): Idempotency {
  return { keyHash: randomUUID(), bodyHash: 'body', tokenSalt: 'salt' };
}

/** What every driver must do. `open` gives a new, empty store, cleaned up when the test is over. */
export function describeStoreContract(name: string, open: () => Promise<Subject>): void {
  describe(`${name}: links`, () => {
    it('finds a link by its alias, whatever the case, with every field as it was given', async () => {
      const { store } = await open();
      const wish = wishFor('My-Link');
      wish.link = {
        ...wish.link,
        title: 'A "title" — ü',
        description: 'two\nlines',
        passwordHash: '$argon2id$v=19$m=1,t=1,p=1$c2FsdA$aGFzaA',
        expiresAt: NOW + 1,
        waitTimerSeconds: 2.5,
        gtmId: 'GTM-ABCD',
      };
      const outcome = await store.addLink(wish);
      const link = { ...wish.link, alias: 'My-Link' };
      expect(outcome).toEqual({ kind: 'added', link });
      expect(await store.findLink('mY-lINK')).toEqual(link);
      expect(await store.findLink('my-lin')).toBeUndefined();
    });

    it('keeps links when it is closed and opened again', async () => {
      const { store, reopen } = await open();
      await store.addLink(wishFor('one'));
      const before = await store.findLink('one');
      const reopened = await reopen();
      expect(await reopened.findLink('ONE')).toEqual(before);
    });

    it('refuses an alias that is taken, whatever its case, and keeps nothing of that call', async () => {
      const { store, reopen } = await open();
      await store.addLink(wishFor('taken'));
      const account = newAccount();
      const idempotency = newKey();
      const outcome = await store.addLink(
        wishFor('TAKEN', { newAccount: account, idempotency, aliases: ['TAKEN'] }),
      );
      expect(outcome).toEqual({ kind: 'alias_taken' });
      for (const subject of [store, await reopen()]) {
        expect(await subject.findAccount(account.tokenHash)).toBeUndefined();
        expect(await subject.findReplay(idempotency.keyHash, NOW)).toBeUndefined();
        expect((await subject.countLinks('account-1', NOW)).total).toBe(1);
      }
    });

    it('takes the first alias that is free', async () => {
      const { store } = await open();
      await store.addLink(wishFor('a'));
      const outcome = await store.addLink(wishFor('', { aliases: ['a', 'A', 'b', 'c'] }));
      expect(outcome).toMatchObject({ kind: 'added', link: { alias: 'b' } });
    });

    it('gives an alias once to forty concurrent calls', async () => {
      const { store } = await open();
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, (_, call) => store.addLink(wishFor(call % 2 ? 'race' : 'RACE'))),
      );
      expect(outcomes.filter(({ kind }) => kind === 'added')).toHaveLength(1);
      expect(outcomes.filter(({ kind }) => kind === 'alias_taken')).toHaveLength(39);
    });
  });

  describe(`${name}: accounts and quota`, () => {
    it('opens the account with its first link', async () => {
      const { store, reopen } = await open();
      const account = newAccount();
      await store.addLink(wishFor('one', { newAccount: account }));
      expect(await store.findAccount(account.tokenHash)).toEqual(account);
      expect(await (await reopen()).findAccount(account.tokenHash)).toEqual(account);
    });

    it('gives five links under a quota of five to twenty concurrent calls, and counts again next month', async () => {
      const { store, reopen } = await open();
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, call) =>
          store.addLink(wishFor(`link-${call}`, { monthlyQuota: 5 })),
        ),
      );
      expect(outcomes.filter(({ kind }) => kind === 'added')).toHaveLength(5);
      expect(outcomes.filter(({ kind }) => kind === 'quota_exceeded')).toHaveLength(15);
      expect(await store.countLinks('account-1', NOW)).toEqual({ month: 5, total: 5 });

      const reopened = await reopen();
      expect(await reopened.countLinks('account-1', NOW)).toEqual({ month: 5, total: 5 });
      expect((await reopened.addLink(wishFor('more', { monthlyQuota: 5 }))).kind).toBe(
        'quota_exceeded',
      );
      const wish = wishFor('december', { monthlyQuota: 5 });
      wish.link.created = Date.UTC(2026, 11, 1);
      expect((await reopened.addLink(wish)).kind).toBe('added');
      expect(await reopened.countLinks('account-1', Date.UTC(2026, 11))).toEqual({
        month: 1,
        total: 6,
      });
    });

    it('asks for the quota before the alias', async () => {
      const { store } = await open();
      await store.addLink(wishFor('taken'));
      expect((await store.addLink(wishFor('taken', { monthlyQuota: 1 }))).kind).toBe(
        'quota_exceeded',
      );
    });

    it('counts nothing for an account that it does not know', async () => {
      const { store } = await open();
      expect(await store.countLinks('nobody', NOW)).toEqual({ month: 0, total: 0 });
    });
  });

  describe(`${name}: idempotency`, () => {
    it('answers a known key with its link, before quota and alias are looked at', async () => {
      const { store, reopen } = await open();
      const idempotency = newKey();
      const first = await store.addLink(wishFor('once', { idempotency }));
      if (first.kind !== 'added') throw new Error('the first call must add its link');
      const replay = { ...idempotency, link: first.link };
      for (const subject of [store, await reopen()]) {
        expect(
          await subject.addLink(
            wishFor('once', { idempotency: { ...idempotency, tokenSalt: 'x' }, monthlyQuota: 0 }),
          ),
        ).toEqual({ kind: 'replayed', replay });
        expect(await subject.findReplay(idempotency.keyHash, NOW)).toEqual(replay);
      }
    });

    it('answers mismatch when the body differs', async () => {
      const { store } = await open();
      const idempotency = newKey();
      await store.addLink(wishFor('once', { idempotency }));
      expect(
        await store.addLink(
          wishFor('twice', { idempotency: { ...idempotency, bodyHash: 'other' } }),
        ),
      ).toEqual({ kind: 'mismatch' });
      expect(await store.findLink('twice')).toBeUndefined();
    });

    it('makes one link of twenty concurrent calls with one key', async () => {
      const { store } = await open();
      const idempotency = newKey();
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, call) =>
          store.addLink(wishFor(`link-${call}`, { idempotency })),
        ),
      );
      expect(outcomes.filter(({ kind }) => kind === 'added')).toHaveLength(1);
      expect(outcomes.filter(({ kind }) => kind === 'replayed')).toHaveLength(19);
    });

    it('forgets a key after the window', async () => {
      const { store } = await open();
      const idempotency = newKey();
      await store.addLink(wishFor('once', { idempotency }));
      const end = NOW + IDEMPOTENCY_WINDOW_MS;
      expect(await store.findReplay(idempotency.keyHash, end - 1)).toBeDefined();
      expect(await store.findReplay(idempotency.keyHash, end)).toBeUndefined();
      const wish = wishFor('again', { idempotency });
      wish.link.created = end;
      expect((await store.addLink(wish)).kind).toBe('added');
    });
  });

  describe(`${name}: hits and secret`, () => {
    it('counts hits, and keeps them when it is closed', async () => {
      const { store, reopen } = await open();
      const outcome = await store.addLink(wishFor('visited'));
      if (outcome.kind !== 'added') throw new Error('the link must be added');
      for (let hit = 0; hit < 3; hit++) store.countHit(outcome.link.id);
      store.countHit('no such link');
      expect((await store.findLink('visited'))?.hits).toBe(3);
      expect((await (await reopen()).findLink('visited'))?.hits).toBe(3);
    });

    it('makes a secret of 32 bytes once, and gives the same ever after', async () => {
      const { store, reopen } = await open();
      const secret = await store.secret();
      expect(secret).toHaveLength(32);
      expect(await store.secret()).toEqual(secret);
      expect(await (await reopen()).secret()).toEqual(secret);
      expect(await (await open()).store.secret()).not.toEqual(secret);
    });
  });
}
