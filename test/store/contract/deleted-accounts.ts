import { describe, expect, test } from 'vitest';
import type { Account } from '../../../server/store/account.ts';
import type { NewLink } from '../../../server/store/link-calls.ts';
import {
  ADMINISTRATOR,
  addLink,
  editOf,
  inTurn,
  NOW,
  newAccount,
  newKey,
  newLink,
  newToken,
  type OpenSubject,
  ownLinkOf,
} from '../contract.ts';

function linkOf(account: Account, alias: string, changes: Partial<NewLink> = {}): NewLink {
  return newLink(alias, { ...changes, link: { accountId: account.id } });
}

export function describeDeletedAccounts(name: string, open: OpenSubject): void {
  describe(`${name}: deleted accounts`, () => {
    test('are gone at once with links, tokens and keys; nobody can use their aliases', async () => {
      const { store, reopen } = await open();
      const account = newAccount();
      const idempotency = newKey();
      const link = await addLink(
        store,
        linkOf(account, 'One', { newAccount: account, idempotency }),
      );
      await store.editLink(editOf(link, { alias: 'Two' }));
      const purged = await addLink(store, linkOf(account, 'Three'));
      await store.purgeLink(ownLinkOf(purged));
      const token = newToken(account.id);
      await store.addToken({ token, by: ADMINISTRATOR });
      const kept = await addLink(store, newLink('kept'));
      await store.findLink('two');
      const deletion = store.deleteAccount({ accountId: account.id, by: ADMINISTRATOR });
      await deletion;
      expect(store.knownLink('two')).toBeUndefined();
      for await (const subject of inTurn(store, reopen, reopen)) {
        for (const alias of ['one', 'two', 'three']) {
          expect(await subject.findLink(alias)).toBeUndefined();
          expect(await subject.isAliasFree(alias)).toBe(false);
          expect((await subject.addLink(newLink(alias))).kind).toBe('alias_taken');
        }
        expect(await subject.findToken(account.tokenHash)).toBeUndefined();
        expect(await subject.findToken(token.tokenHash)).toBeUndefined();
        expect(await subject.listTokens(account.id)).toEqual([]);
        const list = { limit: 9, after: null, search: null, tag: null };
        expect((await subject.listLinks({ accountId: account.id, ...list })).links).toEqual([]);
        expect(await subject.countLinks(account.id, NOW)).toEqual({
          month: 0,
          total: 0,
          imported: 0,
        });
        expect(await subject.editLink(editOf(link, { title: 'late' }))).toEqual({
          kind: 'not_found',
        });
        expect(await subject.purgeLink(ownLinkOf(link))).toBe('not_found');
        expect(await subject.takeVisit(link.id)).toBe(false);
        expect(await subject.addToken({ token: { ...token, id: 'late' }, by: ADMINISTRATOR })).toBe(
          'not_found',
        );
        expect(await subject.findReplay(idempotency.keyHash, NOW)).toBeUndefined();
        const retry = linkOf(newAccount(), 'new', { idempotency });
        expect(await subject.addLink(retry)).toEqual({ kind: 'mismatch' });
        expect(await subject.findLink('kept')).toEqual(kept);
        await subject.deleteAccount({ accountId: account.id, by: ADMINISTRATOR });
        await subject.deleteAccount({ accountId: 'nobody', by: ADMINISTRATOR });
      }
    });

    test('get no more links', async () => {
      const { store } = await open();
      const account = newAccount();
      await addLink(store, linkOf(account, 'one', { newAccount: account }));
      await store.deleteAccount({ accountId: account.id, by: ADMINISTRATOR });
      expect(await store.addLink(linkOf(account, 'late'))).toEqual({ kind: 'account_deleted' });
      expect(await store.isAliasFree('late')).toBe(true);
    });

    test('leave no link of concurrent calls', async () => {
      const { store, reopen } = await open();
      const account = newAccount();
      const link = await addLink(store, linkOf(account, 'one', { newAccount: account }));
      const aliases = Array.from({ length: 30 }, (_, number) => `link-${number}`);
      const add = (alias: string) => store.addLink(linkOf(account, alias));
      const outcomes = await Promise.all([
        ...aliases.slice(0, 10).map(add),
        store.editLink(editOf(link, { alias: 'edited' })),
        store
          .deleteAccount({ accountId: account.id, by: ADMINISTRATOR })
          .then(() => ({ kind: 'deleted' })),
        ...aliases.slice(10).map(add),
        store.editLink(editOf(link, { alias: 'edited-too' })),
      ]);
      const kinds = outcomes.map(({ kind }) => kind);
      expect(kinds.slice(0, 12)).toEqual([...Array(10).fill('added'), 'edited', 'deleted']);
      expect(kinds.slice(12)).toEqual([...Array(20).fill('account_deleted'), 'not_found']);
      for await (const subject of inTurn(store, reopen)) {
        for (const alias of ['one', 'edited', 'edited-too', ...aliases]) {
          expect(await subject.findLink(alias)).toBeUndefined();
        }
        expect((await subject.countLinks(account.id, NOW)).total).toBe(0);
      }
    });
  });
}
