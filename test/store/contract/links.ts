import { describe, expect, test } from 'vitest';
import { inTurn, NOW, newAccount, newKey, newLink, type OpenSubject } from '../contract.ts';

export function describeLinks(name: string, open: OpenSubject): void {
  describe(`${name}: links`, () => {
    test('rejects a taken alias regardless of case and stores nothing of that call', async () => {
      const { store, reopen } = await open();
      await store.addLink(newLink('taken'));
      const account = newAccount();
      const idempotency = newKey();
      const outcome = await store.addLink(
        newLink('TAKEN', { newAccount: account, idempotency, aliases: ['TAKEN'] }),
      );
      expect(outcome).toEqual({ kind: 'alias_taken' });
      for await (const subject of inTurn(store, reopen)) {
        expect(await subject.findToken(account.tokenHash)).toBeUndefined();
        expect(await subject.findReplay(idempotency.keyHash, NOW)).toBeUndefined();
        expect((await subject.countLinks('account-1', NOW)).total).toBe(1);
      }
    });

    test('uses the first available alias', async () => {
      const { store } = await open();
      await store.addLink(newLink('a'));
      const outcome = await store.addLink(newLink('', { aliases: ['a', 'A', 'b', 'c'] }));
      expect(outcome).toMatchObject({ kind: 'added', link: { alias: 'b' } });
    });

    test('assigns an alias to only one of forty concurrent calls', async () => {
      const { store } = await open();
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, (_, call) => store.addLink(newLink(call % 2 ? 'race' : 'RACE'))),
      );
      expect(outcomes.filter(({ kind }) => kind === 'added')).toHaveLength(1);
      expect(outcomes.filter(({ kind }) => kind === 'alias_taken')).toHaveLength(39);
    });
  });
}
