import { describe, expect, test } from 'vitest';
import { addLink, editOf, NOW, newLink, type OpenSubject } from '../contract.ts';

export function describeEdits(name: string, open: OpenSubject): void {
  describe(`${name}: edits`, () => {
    test('changes only the given fields and the modification time', async () => {
      const { store, reopen } = await open();
      const input = newLink('before');
      input.link = { ...input.link, aliasIsCustom: false, title: 'kept', passwordHash: 'hash' };
      const original = await addLink(store, input);
      const changes = { description: 'ü\n"', expiresAt: NOW + 5, passwordHash: null };
      const link = { ...original, ...changes, modified: NOW + 1 };
      expect(await store.editLink(editOf(original, changes))).toEqual({ kind: 'edited', link });
      for (const subject of [store, await reopen()]) {
        expect(await subject.findLink('before')).toEqual(link);
      }
    });

    test('can change every field and change it back', async () => {
      const { store, reopen } = await open();
      const original = await addLink(store, newLink('before'));
      const all = {
        originalUrl: 'https://example.com/ü',
        targetUrl: 'https://example.com/%C3%BC',
        alias: 'After',
        title: 'A title',
        description: 'a description',
        passwordHash: '$argon2id$',
        expiresAt: NOW + 1,
        waitTimerSeconds: 2.5,
        gtmId: 'GTM-ABCD',
        isActive: false,
      };
      await store.editLink(editOf(original, all));
      const reopened = await reopen();
      expect(await reopened.findLink('after')).toEqual({ ...original, ...all, modified: NOW + 1 });
      const { id: _, accountId: __, aliasIsCustom: ___, hits: ____, created, ...fields } = original;
      const { modified, ...changes } = fields;
      const edit = { ...editOf(original, changes), modified: created };
      expect(await reopened.editLink(edit)).toEqual({ kind: 'edited', link: original });
      expect(await (await reopen()).findLink('before')).toEqual(original);
      expect(modified).toBe(created);
    });

    test('frees the old alias immediately and marks the new one as custom', async () => {
      const { store, reopen } = await open();
      const input = newLink('old');
      input.link.aliasIsCustom = false;
      const original = await addLink(store, input);
      await store.editLink(editOf(original, { alias: 'new' }));
      expect(await store.findLink('old')).toBeUndefined();
      const next = await addLink(store, newLink('OLD'));
      for (const subject of [store, await reopen()]) {
        expect(await subject.findLink('new')).toMatchObject({
          id: original.id,
          aliasIsCustom: true,
        });
        expect(await subject.findLink('old')).toEqual(next);
      }
    });

    test('can swap the aliases of two links with the help of a third alias', async () => {
      const { store, reopen } = await open();
      const one = await addLink(store, newLink('one'));
      const two = await addLink(store, newLink('two'));
      await store.editLink(editOf(one, { alias: 'three' }));
      await store.editLink(editOf(two, { alias: 'one' }));
      await store.editLink(editOf(one, { alias: 'two' }));
      for (const subject of [store, await reopen()]) {
        expect((await subject.findLink('one'))?.id).toBe(two.id);
        expect((await subject.findLink('two'))?.id).toBe(one.id);
        expect(await subject.findLink('three')).toBeUndefined();
      }
    });

    test('rejects the alias of another link regardless of case and changes nothing', async () => {
      const { store, reopen } = await open();
      const original = await addLink(store, newLink('mine'));
      await addLink(store, newLink('taken'));
      const edit = editOf(original, { alias: 'TAKEN', title: 'lost' });
      expect(await store.editLink(edit)).toEqual({ kind: 'alias_taken' });
      for (const subject of [store, await reopen()]) {
        expect(await subject.findLink('mine')).toEqual(original);
      }
    });

    test("accepts the link's own alias, unchanged or in another case", async () => {
      const { store } = await open();
      const input = newLink('mine');
      input.link.aliasIsCustom = false;
      const original = await addLink(store, input);
      expect(await store.editLink(editOf(original, { alias: 'mine' }))).toMatchObject({
        link: { alias: 'mine', aliasIsCustom: false },
      });
      expect(await store.editLink(editOf(original, { alias: 'Mine' }))).toMatchObject({
        link: { alias: 'Mine', aliasIsCustom: true },
      });
      expect(await store.findLink('mine')).toMatchObject({ alias: 'Mine' });
    });

    test('returns not_found for an unknown link and for a link of another account', async () => {
      const { store } = await open();
      const original = await addLink(store, newLink('mine'));
      const changes = { title: 'stolen' };
      for (const other of [
        { ...original, id: 'nowhere' },
        { ...original, accountId: 'account-2' },
      ]) {
        expect(await store.editLink(editOf(other, changes))).toEqual({ kind: 'not_found' });
      }
      expect(await store.findLink('mine')).toEqual(original);
    });

    test('applies concurrent edits of one link one after the other, each of them completely', async () => {
      const { store, reopen } = await open();
      const original = await addLink(store, newLink('one'));
      const edits = Array.from({ length: 20 }, (_, edit) => ({
        title: `title ${edit}`,
        ...(edit % 2 && { description: `description ${edit}` }),
        ...(edit % 3 && { alias: `alias-${edit}` }),
      }));
      let expected = original;
      await Promise.all(
        edits.map(async (changes) => {
          const outcome = await store.editLink(editOf(original, changes));
          expected = { ...expected, ...changes, modified: NOW + 1 };
          expect(outcome).toEqual({ kind: 'edited', link: expected });
        }),
      );
      for (const subject of [store, await reopen()]) {
        expect(await subject.findLink(expected.alias)).toEqual(expected);
        const links = edits.map(({ alias = 'one' }) => subject.findLink(alias));
        const found = (await Promise.all(links)).filter((link) => link !== undefined);
        expect(new Set(found.map(({ alias }) => alias))).toEqual(new Set([expected.alias]));
      }
    });

    test('assigns an alias to only one of concurrent edits and new links', async () => {
      const { store, reopen } = await open();
      const original = await Promise.all(
        Array.from({ length: 20 }, (_, link) => addLink(store, newLink(`link-${link}`))),
      );
      const outcomes = await Promise.all(
        original.flatMap((link, call) => [
          store.editLink(editOf(link, { alias: call % 2 ? 'race' : 'RACE' })),
          store.addLink(newLink('Race')),
        ]),
      );
      expect(outcomes.filter(({ kind }) => kind === 'edited' || kind === 'added')).toHaveLength(1);
      expect(outcomes.filter(({ kind }) => kind === 'alias_taken')).toHaveLength(39);
      const winner = await store.findLink('race');
      expect(await (await reopen()).findLink('race')).toEqual(winner);
    });

    test('gives a new link an alias that was available before or after a concurrent edit', async () => {
      const { store } = await open();
      const original = await addLink(store, newLink('left'));
      const [, added] = await Promise.all([
        store.editLink(editOf(original, { alias: 'taken' })),
        addLink(store, newLink('', { aliases: ['taken', 'left', 'never needed'] })),
      ]);
      expect(added.alias).not.toBe('never needed');
    });

    test('keeps the hits, including those during the edit', async () => {
      const { store, reopen } = await open();
      const original = await addLink(store, newLink('visited'));
      store.hitCounter(original.id)();
      const edited = store.editLink(editOf(original, { alias: 'other' }));
      store.countHit(original.id);
      await edited;
      store.countHit(original.id);
      expect(await store.findLink('other')).toMatchObject({ hits: 3 });
      expect(await (await reopen()).findLink('other')).toMatchObject({ hits: 3 });
    });

    test('increments the change count, unlike a new link or a hit', async () => {
      const { store } = await open();
      const before = store.changeCount;
      const original = await addLink(store, newLink('counted'));
      store.countHit(original.id);
      await addLink(store, newLink('other'));
      expect(store.changeCount).toBe(before);
      await store.editLink(editOf(original, { alias: 'other' }));
      expect(store.changeCount).toBe(before);
      await store.editLink(editOf(original, { title: 'New' }));
      expect(store.changeCount).toBeGreaterThan(before);
    });

    test('does not count against the quota', async () => {
      const { store, reopen } = await open();
      const original = await addLink(store, newLink('one', { monthlyQuota: 1 }));
      const edit = editOf(original, { alias: 'two' });
      expect((await store.editLink({ ...edit, modified: Date.UTC(2026, 11) })).kind).toBe('edited');
      expect(await store.countLinks('account-1', NOW)).toEqual({ month: 1, total: 1, imported: 0 });
      const reopened = await reopen();
      expect(await reopened.countLinks('account-1', NOW)).toEqual({
        month: 1,
        total: 1,
        imported: 0,
      });
    });
  });
}
