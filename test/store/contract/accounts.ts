import { describe, expect, test } from 'vitest';
import {
  addLink,
  inTurn,
  NOW,
  newAccount,
  newLink,
  type OpenSubject,
  ownLinkOf,
  storedAccount,
} from '../contract.ts';

export function describeAccounts(name: string, open: OpenSubject): void {
  describe(`${name}: accounts and quota`, () => {
    test('creates the account with its first link', async () => {
      const { store, reopen } = await open();
      const account = newAccount();
      await store.addLink(newLink('one', { newAccount: account }));
      expect((await store.findToken(account.tokenHash))?.account).toEqual(storedAccount(account));
      expect((await (await reopen()).findToken(account.tokenHash))?.account).toEqual(
        storedAccount(account),
      );
    });

    test('enforces the quota exactly under concurrent calls and resets it next month', async () => {
      const { store, reopen } = await open();
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, call) =>
          store.addLink(newLink(`link-${call}`, { quota: 5 })),
        ),
      );
      expect(outcomes.filter(({ kind }) => kind === 'added')).toHaveLength(5);
      expect(outcomes.filter(({ kind }) => kind === 'quota_exceeded')).toHaveLength(15);
      expect(await store.countLinks('account-1', NOW)).toEqual({ month: 5, total: 5, imported: 0 });

      const reopened = await reopen();
      expect(await reopened.countLinks('account-1', NOW)).toEqual({
        month: 5,
        total: 5,
        imported: 0,
      });
      expect((await reopened.addLink(newLink('more', { quota: 5 }))).kind).toBe('quota_exceeded');
      const input = newLink('december', { quota: 5, link: { created: Date.UTC(2026, 11, 1) } });
      expect((await reopened.addLink(input)).kind).toBe('added');
      expect(await reopened.countLinks('account-1', Date.UTC(2026, 11))).toEqual({
        month: 1,
        total: 6,
        imported: 0,
      });
    });

    test('counts imported links, but not against the quota of the month', async () => {
      const { store, reopen } = await open();
      const imported = (alias: string) =>
        newLink(alias, { quota: 3, link: { importKey: `row of ${alias}` } });
      expect(await store.addLink(imported('one'))).toMatchObject({ usedInMonth: 0 });
      expect((await store.addLink(newLink('own', { quota: 1 }))).kind).toBe('added');
      const link = await addLink(store, imported('two'));
      await addLink(store, imported('three'));
      await store.purgeLink(ownLinkOf(link));
      for await (const subject of inTurn(store, reopen)) {
        const counts = { month: 1, total: 3, imported: 3 };
        expect(await subject.countLinks('account-1', NOW)).toEqual(counts);
      }
    });

    test('returns zero counts for an unknown account', async () => {
      const { store } = await open();
      expect(await store.countLinks('nobody', NOW)).toEqual({ month: 0, total: 0, imported: 0 });
    });
  });
}
