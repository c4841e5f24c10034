import { describe, expect, test } from 'vitest';
import type { Account } from '../../../server/store/account.ts';
import {
  ADMINISTRATOR,
  addLink,
  inTurn,
  newAccount,
  newLink,
  newToken,
  type OpenSubject,
  storedAccount,
} from '../contract.ts';

function newPerson(identityHash: string): Account {
  return { ...storedAccount(newAccount()), name: 'ada@example.com', identityHash };
}

export function describeIdentities(name: string, open: OpenSubject): void {
  describe(`${name}: accounts of people who sign in`, () => {
    test('are added without a link or a token, and found by their identity', async () => {
      const { store, reopen } = await open();
      const account = newPerson('ada');
      expect(await store.addAccount(account)).toEqual(account);
      const token = newToken(account.id);
      expect(await store.addToken({ token, by: ADMINISTRATOR })).toBe('added');
      await addLink(store, newLink('one'));
      for await (const subject of inTurn(store, reopen, reopen)) {
        expect(await subject.findAccountByIdentity('ada')).toEqual(account);
        expect(await subject.findAccountByIdentity('grace')).toBeUndefined();
        expect(await subject.listTokens(account.id)).toEqual([token]);
        expect(await subject.findToken(token.tokenHash)).toEqual({ account, token });
        expect(await subject.findToken('')).toBeUndefined();
      }
    });

    test('are one for each identity, also under concurrent calls', async () => {
      const { store, reopen } = await open();
      const people = ['ada', 'grace', 'ada', 'grace', 'ada'];
      const accounts = await Promise.all(people.map((each) => store.addAccount(newPerson(each))));
      expect(new Set(accounts.map(({ id }) => id)).size).toBe(2);
      for await (const subject of inTurn(store, reopen)) {
        for (const [index, each] of people.entries()) {
          expect(await subject.addAccount(newPerson(each))).toEqual(accounts[index]);
        }
      }
    });

    test('without an identity are all different', async () => {
      const { store, reopen } = await open();
      const accounts = [newAccount(), newAccount()];
      for (const account of accounts) {
        expect(await store.addAccount(account)).toEqual(storedAccount(account));
      }
      for await (const subject of inTurn(store, reopen)) {
        for (const account of accounts) {
          expect((await subject.findToken(account.tokenHash))?.account).toEqual(
            storedAccount(account),
          );
        }
      }
    });

    test('are not found any more once they are deleted, and are new at the next sign-in', async () => {
      const { store, reopen } = await open();
      const account = newPerson('ada');
      await store.addAccount(account);
      await store.deleteAccount({ accountId: account.id, by: ADMINISTRATOR });
      expect(await store.findAccountByIdentity('ada')).toBeUndefined();
      const reopened = await reopen();
      expect(await reopened.findAccountByIdentity('ada')).toBeUndefined();
      const next = newPerson('ada');
      expect(await reopened.addAccount(next)).toEqual(next);
      for await (const subject of inTurn(reopened, reopen)) {
        expect(await subject.findAccountByIdentity('ada')).toEqual(next);
      }
    });
  });
}
