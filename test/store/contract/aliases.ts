import { describe, expect, test } from 'vitest';
import { PREVIOUS_ALIASES_MAX } from '../../../shared/bounds.ts';
import { addLink, editOf, inTurn, newLink, type OpenSubject, ownLinkOf } from '../contract.ts';
import { addDomains } from './domains.ts';

export function describeAliases(name: string, open: OpenSubject): void {
  /** A link of the other account. */
  const linkOfOther = (alias: string) => newLink(alias, { link: { accountId: 'account-2' } });

  describe(`${name}: the aliases of a link`, () => {
    test('include its earlier ones, regardless of case, which no other link can have', async () => {
      const { store, reopen } = await open();
      const link = await addLink(store, newLink('One', { link: { aliasIsCustom: false } }));
      for (const alias of ['Two', 'Three']) {
        expect((await store.editLink(editOf(link, { alias }))).kind).toBe('edited');
      }
      for await (const subject of inTurn(store, reopen)) {
        for (const alias of ['oNE', 'tWO', 'tHREE']) {
          expect(await subject.findLink(alias)).toMatchObject({
            id: link.id,
            alias: 'Three',
            aliasIsCustom: true,
            previousAliases: ['One', 'Two'],
          });
          expect(await subject.isAliasFree(alias)).toBe(false);
          expect((await subject.addLink(newLink(alias))).kind).toBe('alias_taken');
        }
      }
    });

    test('are those of one domain: other links have the same alias on others, each with a life of its own', async () => {
      const { store, reopen } = await open();
      await addDomains(store, 'go.example', 'a.example:8080');
      const one = await addLink(store, newLink('sale'));
      await addLink(store, newLink('go.example/sale'));
      const third = await addLink(store, linkOfOther('a.example:8080/sale'));
      expect((await store.addLink(newLink('GO.example/Sale'))).kind).toBe('alias_taken');
      await store.purgeLink(ownLinkOf(one));
      for await (const subject of inTurn(store, reopen)) {
        expect(await subject.findLink('sale')).toBeUndefined();
        expect(await subject.findLink('go.EXAMPLE/sale')).toMatchObject({
          alias: 'go.example/sale',
        });
        expect(await subject.findLink('a.example:8080/sale')).toMatchObject({ id: third.id });
        const states = ['sale', 'go.example/sale', 'a.example:8080/sale', 'b.example/sale'];
        expect(await subject.aliasStates(states, 'account-1')).toEqual([
          ...['own', 'taken', 'taken', 'unused'],
        ]);
      }
    });

    test('swap when the link is renamed back', async () => {
      const { store, reopen } = await open();
      const link = await addLink(store, newLink('one'));
      await store.editLink(editOf(link, { alias: 'two' }));
      await store.editLink(editOf(link, { alias: 'three' }));
      await store.editLink(editOf(link, { alias: 'ONE' }));
      for await (const subject of inTurn(store, reopen)) {
        for (const alias of ['one', 'two', 'three']) {
          expect(await subject.findLink(alias)).toMatchObject({
            alias: 'ONE',
            previousAliases: ['two', 'three'],
          });
        }
      }
    });

    test('stay the same if only the case changes', async () => {
      const { store } = await open();
      const link = await addLink(store, newLink('one'));
      await store.editLink(editOf(link, { alias: 'ONE' }));
      expect(await store.findLink('one')).toMatchObject({ alias: 'ONE', previousAliases: [] });
    });

    test('are limited', async () => {
      const { store } = await open();
      const link = await addLink(store, newLink('alias-0'));
      for (let number = 1; number <= PREVIOUS_ALIASES_MAX; number++) {
        const outcome = await store.editLink(editOf(link, { alias: `alias-${number}` }));
        expect(outcome.kind).toBe('edited');
      }
      const edit = editOf(link, { alias: 'one-too-many' });
      expect(await store.editLink(edit)).toEqual({ kind: 'too_many_aliases' });
      expect((await store.editLink(editOf(link, { alias: 'alias-3' }))).kind).toBe('edited');
      expect((await store.editLink(editOf(link, { title: 'full' }))).kind).toBe('edited');
      const removal = editOf(link, { previousAliases: ['alias-4'], alias: 'one-too-many' });
      expect(await store.editLink(removal)).toMatchObject({
        link: { alias: 'one-too-many', previousAliases: ['alias-4', 'alias-3'] },
      });
    });

    test('can be removed, except for the current one, and then stay reserved for the account', async () => {
      const { store, reopen } = await open();
      const link = await addLink(store, newLink('one'));
      const other = await addLink(store, linkOfOther('other'));
      await store.editLink(editOf(link, { alias: 'two' }));
      await store.editLink(editOf(link, { alias: 'three' }));
      await store.findLink('one');
      const outcome = await store.editLink(editOf(link, { previousAliases: ['TWO', 'new'] }));
      expect(outcome).toMatchObject({ link: { alias: 'three', previousAliases: ['two'] } });
      expect(store.knownLink('one')).toBeUndefined();
      const subject = await reopen();
      expect(await subject.findLink('one')).toBeUndefined();
      expect(await subject.findLink('two')).toMatchObject({ id: link.id });
      expect(await subject.isAliasFree('ONE')).toBe(false);
      expect(await subject.isAliasFree('new')).toBe(true);
      expect((await subject.addLink(linkOfOther('One'))).kind).toBe('alias_taken');
      const renamed = await subject.editLink(editOf(other, { alias: 'One' }));
      expect(renamed.kind).toBe('alias_taken');
      const heir = await addLink(subject, newLink('ONE'));
      for await (const again of inTurn(subject, reopen)) {
        expect(await again.findLink('one')).toEqual(heir);
      }
    });

    test('can be taken from what is reserved by a rename', async () => {
      const { store, reopen } = await open();
      const link = await addLink(store, newLink('one'));
      const second = await addLink(store, newLink('second'));
      await store.editLink(editOf(link, { alias: 'two' }));
      await store.editLink(editOf(link, { previousAliases: [] }));
      expect((await store.editLink(editOf(second, { alias: 'one' }))).kind).toBe('edited');
      // Reserved, taken and reserved again.
      await store.editLink(editOf(second, { alias: 'third', previousAliases: [] }));
      await store.editLink(editOf(second, { previousAliases: [] }));
      const subject = await reopen();
      expect(await subject.findLink('one')).toBeUndefined();
      expect((await subject.addLink(linkOfOther('one'))).kind).toBe('alias_taken');
      expect((await subject.addLink(newLink('one'))).kind).toBe('added');
    });

    test('stay reserved for the account when the link is purged', async () => {
      const { store, reopen } = await open();
      const link = await addLink(store, newLink('One'));
      await store.editLink(editOf(link, { alias: 'Two' }));
      await store.purgeLink(ownLinkOf(link));
      for await (const subject of inTurn(store, reopen)) {
        for (const alias of ['ONE', 'TWO']) {
          expect(await subject.isAliasFree(alias)).toBe(false);
          expect(await subject.isAliasFree(alias, 'account-2')).toBe(false);
          expect(await subject.isAliasFree(alias, link.accountId)).toBe(true);
          expect((await subject.addLink(linkOfOther(alias))).kind).toBe('alias_taken');
        }
      }
      const heir = await addLink(await reopen(), newLink('one'));
      expect(await (await reopen()).findLink('ONE')).toEqual(heir);
      expect(await (await reopen()).isAliasFree('one', link.accountId)).toBe(false);
    });
  });
}
