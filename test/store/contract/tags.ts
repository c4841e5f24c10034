import { describe, expect, test } from 'vitest';
import type { Store } from '../../../server/store/store.ts';
import { ACCOUNT_TAGS_MAX, TAGS_MAX } from '../../../shared/bounds.ts';
import { addLink, editOf, NOW, newLink, type OpenSubject, ownLinkOf } from '../contract.ts';

function add(store: Store, alias: string, tags: string[], accountId = 'account-1') {
  return addLink(store, newLink(alias, { link: { accountId, tags } }));
}

export function describeTags(name: string, open: OpenSubject): void {
  describe(`${name}: tags`, () => {
    test('are counted for each account, the most used ones first, then by name', async () => {
      const { store, reopen } = await open();
      await add(store, 'a', ['sale', 'new']);
      await add(store, 'b', ['sale', 'a long one']);
      await add(store, 'c', []);
      await add(store, 'foreign', ['sale', 'foreign'], 'account-2');
      const expected = [
        { tag: 'sale', count: 2 },
        { tag: 'a long one', count: 1 },
        { tag: 'new', count: 1 },
      ];
      expect(await store.countTags('account-1', 100)).toEqual(expected);
      expect(await store.countTags('account-1', 2)).toEqual(expected.slice(0, 2));
      expect(await store.countTags('nobody', 100)).toEqual([]);
      expect(await (await reopen()).countTags('account-1', 100)).toEqual(expected);
    });

    test('that differ only in case are one, in the spelling that sorts last', async () => {
      const { store } = await open();
      await add(store, 'a', ['ΟΔΟΣ', 'Sale']);
      await add(store, 'b', ['οδος', 'sale']);
      await add(store, 'c', ['SALE']);
      expect(await store.countTags('account-1', 100)).toEqual([
        { tag: 'sale', count: 3 },
        { tag: 'οδος', count: 2 },
      ]);
    });

    test('that look the same are one', async () => {
      const { store } = await open();
      await add(store, 'a', ['Z\u00fcrich', 'new\u00a0york']);
      await add(store, 'b', ['zu\u0308rich\u200b', 'new york']);
      await add(store, 'c', ['zurich', 'Straße']);
      await add(store, 'd', ['STRASSE']);
      const counts = (await store.countTags('account-1', 100)).map(({ count }) => count);
      expect(counts).toEqual([2, 2, 2, 1]);
    });

    test('can be 10,000 different ones in an account, however they come', async () => {
      const { store } = await open();
      const tags = Array.from({ length: ACCOUNT_TAGS_MAX }, (_, index) => `tag ${index}`);
      const links = Array.from({ length: ACCOUNT_TAGS_MAX / TAGS_MAX }, (_, index) =>
        add(store, `link-${index}`, tags.slice(index * TAGS_MAX, (index + 1) * TAGS_MAX)),
      );
      const [first] = await Promise.all(links);
      if (!first) throw new Error('no link was added');
      const tooMany = { kind: 'too_many_tags' };
      const more = (alias: string, own: string[]) =>
        store.addLink(newLink(alias, { link: { tags: own }, quota: Number.POSITIVE_INFINITY }));
      expect(await more('more', ['TAG 1', 'one more'])).toEqual(tooMany);
      expect(await store.editLink(editOf(first, { tags: [...first.tags, 'one more'] }))).toEqual(
        tooMany,
      );
      expect((await more('no-more', ['TAG 1'])).kind).toBe('added');
      await add(store, 'foreign', ['one more'], 'account-2');
      // Those of deleted links count: they can be restored.
      await store.editLink(editOf(first, { deletedAt: NOW }));
      expect(await more('restorable', ['one more'])).toEqual(tooMany);
      await store.purgeLink(ownLinkOf(first));
      expect((await more('replaced', ['one more'])).kind).toBe('added');
    });

    test('of deleted links are not counted, those of edited and restored links are', async () => {
      const { store } = await open();
      const edited = await add(store, 'a', ['before']);
      const deleted = await add(store, 'b', ['gone']);
      await store.editLink(editOf(edited, { tags: ['after'] }));
      await store.editLink(editOf(deleted, { deletedAt: NOW }));
      expect(await store.countTags('account-1', 100)).toEqual([{ tag: 'after', count: 1 }]);
      await store.editLink(editOf(deleted, { deletedAt: null }));
      expect(await store.countTags('account-1', 100)).toEqual([
        { tag: 'after', count: 1 },
        { tag: 'gone', count: 1 },
      ]);
    });
  });
}
