import { describe, expect, test } from 'vitest';
import { isGone } from '../../../server/store/link.ts';
import { RESTORABLE_MS } from '../../../shared/bounds.ts';
import {
  ADMINISTRATOR,
  addLink,
  editOf,
  inTurn,
  knownLink,
  NOW,
  newKey,
  newLink,
  type OpenSubject,
  ownLinkOf,
} from '../contract.ts';

export function describeDeletedLinks(name: string, open: OpenSubject): void {
  describe(`${name}: deleted links`, () => {
    test('are found as deleted, keep their alias, and can be restored', async () => {
      const { store, reopen } = await open();
      const link = await addLink(store, newLink('one'));
      const known = await knownLink(store, 'one');
      await store.editLink(editOf(link, { deletedAt: NOW }));
      expect(store.knownLink('one')).not.toBe(known);
      const subject = await reopen();
      expect(await subject.findLink('one')).toMatchObject({ deletedAt: NOW });
      expect((await subject.addLink(newLink('one'))).kind).toBe('alias_taken');
      expect(await subject.countLinks('account-1', NOW)).toEqual({
        month: 1,
        total: 1,
        imported: 0,
      });
      const restore = { ...editOf(link, { deletedAt: null }), modified: NOW + RESTORABLE_MS - 1 };
      expect(await subject.editLink(restore)).toMatchObject({ kind: 'edited' });
      expect(await (await reopen()).findLink('one')).toMatchObject({ deletedAt: null });
    });

    test('cannot be changed or restored after their time', async () => {
      const { store, time } = await open();
      const link = await addLink(store, newLink('one'));
      await store.editLink(editOf(link, { deletedAt: NOW }));
      // While it is blocked, it stays.
      const block = { kind: 'link', value: link.id, reason: 'Phishing', since: NOW } as const;
      await store.administration.addBlock(block);
      await time.passDays(31);
      for (const changes of [{ deletedAt: null }, { title: 'late' }]) {
        const late = { ...editOf(link, changes), modified: time.now() };
        expect(await store.editLink(late)).toEqual({ kind: 'not_found' });
      }
      const deleted = await store.administration.findLinkById(link.id);
      expect(deleted && isGone(deleted, store.certainTime(time.now()))).toBe(true);
    });
  });

  describe(`${name}: purged links`, () => {
    test('are gone at once and for good', async () => {
      const { store, reopen } = await open();
      const link = await addLink(store, newLink('one'));
      await addLink(store, newLink('other'));
      await store.editLink(editOf(link, { alias: 'two' }));
      await store.findLink('one');
      store.countHit(link.id);
      expect(await store.purgeLink(ownLinkOf(link))).toBe('purged');
      expect(store.knownLink('one')).toBeUndefined();
      store.countHit(link.id);
      for await (const subject of inTurn(store, reopen)) {
        expect(await subject.findLink('one')).toBeUndefined();
        expect(await subject.findLink('two')).toBeUndefined();
        expect(await subject.findLink('other')).toMatchObject({ hits: 0 });
        const restore = editOf(link, { deletedAt: null });
        expect(await subject.editLink(restore)).toEqual({ kind: 'not_found' });
        expect(await subject.purgeLink(ownLinkOf(link))).toBe('not_found');
        expect(await subject.takeVisit(link.id)).toBe(false);
      }
    });

    test('must have the version that a call names', async () => {
      const { store } = await open();
      const link = await addLink(store, newLink('one'));
      const edit = store.editLink(editOf(link, { title: 'new' }));
      const purge = store.purgeLink({ ...ownLinkOf(link), version: link.version });
      expect((await edit).kind).toBe('edited');
      expect(await purge).toBe('version_mismatch');
      expect(await store.findLink('one')).toMatchObject({ title: 'new' });
      expect(await store.purgeLink({ ...ownLinkOf(link), version: 2 })).toBe('purged');
    });

    test('must belong to the account', async () => {
      const { store } = await open();
      const link = await addLink(store, newLink('one'));
      expect(
        await store.purgeLink({ linkId: link.id, accountId: 'account-2', by: ADMINISTRATOR }),
      ).toBe('not_found');
      expect(
        await store.purgeLink({ linkId: 'nowhere', accountId: 'account-1', by: ADMINISTRATOR }),
      ).toBe('not_found');
      expect(await store.findLink('one')).toEqual(link);
    });

    test('still count against the quota of their month, but not in total', async () => {
      const { store, reopen } = await open();
      const link = await addLink(store, newLink('one', { quota: 1 }));
      await store.purgeLink(ownLinkOf(link));
      for await (const subject of inTurn(store, reopen)) {
        const counts = { month: 1, total: 0, imported: 0 };
        expect(await subject.countLinks('account-1', NOW)).toEqual(counts);
        const again = await subject.addLink(newLink('two', { quota: 1 }));
        expect(again.kind).toBe('quota_exceeded');
      }
    });

    test('are not made again by a late retry with their idempotency key', async () => {
      const { store, reopen } = await open();
      const idempotency = newKey();
      const link = await addLink(store, newLink('one', { idempotency }));
      await store.purgeLink(ownLinkOf(link));
      for await (const subject of inTurn(store, reopen)) {
        expect(await subject.findReplay(idempotency.keyHash, NOW)).toBeUndefined();
        expect(await subject.addLink(newLink('one', { idempotency }))).toEqual({
          kind: 'mismatch',
        });
        expect(await subject.findLink('one')).toBeUndefined();
      }
    });

    test('are purged once by concurrent calls, of which edits see the link before or not at all', async () => {
      const { store, reopen } = await open();
      const link = await addLink(store, newLink('one'));
      const calls = await Promise.all([
        store.editLink(editOf(link, { title: 'before' })),
        store.purgeLink(ownLinkOf(link)),
        store.editLink(editOf(link, { alias: 'two' })),
        store.purgeLink(ownLinkOf(link)),
        store.addLink(newLink('one')),
      ]);
      expect(calls.slice(0, 4)).toMatchObject([
        { kind: 'edited' },
        'purged',
        { kind: 'not_found' },
        'not_found',
      ]);
      expect(await (await reopen()).findLink('two')).toBeUndefined();
    });
  });
}
