import { describe, expect, test } from 'vitest';
import { addLink, editOf, inTurn, NOW, newLink, type OpenSubject, ownLinkOf } from '../contract.ts';
import { addDomains } from './domains.ts';

const DECEMBER = Date.UTC(2026, 11);

export function describeQuotas(name: string, open: OpenSubject): void {
  const imported = (alias: string, previousAliases: string[] = [], quota = 1000) =>
    newLink(alias, { quota, link: { previousAliases, importKey: `row of ${alias}` } });

  describe(`${name}: aliases that nobody has ever had`, () => {
    test('count against the quota of the month when a link is renamed to them', async () => {
      const { store, reopen } = await open();
      const link = await addLink(store, newLink('one', { quota: 3 }));
      const rename = (alias: string) => ({ ...editOf(link, { alias }), quota: 3 });
      for (const alias of ['two', 'One', 'three', 'TWO']) {
        expect((await store.editLink(rename(alias))).kind).toBe('edited');
      }
      for await (const subject of inTurn(store, reopen)) {
        expect(await subject.editLink(rename('four'))).toEqual({ kind: 'quota_exceeded' });
        expect(await subject.addLink(newLink('four', { quota: 3 }))).toEqual({
          kind: 'quota_exceeded',
        });
        expect(await subject.isAliasFree('four', 'account-2')).toBe(true);
        expect(await subject.countLinks('account-1', NOW)).toMatchObject({ month: 3, total: 1 });
      }
      const reopened = await reopen();
      await reopened.editLink(editOf(link, { previousAliases: [] }));
      expect((await reopened.editLink(rename('one'))).kind).toBe('edited');
      expect((await reopened.editLink(rename('four'))).kind).toBe('quota_exceeded');
      expect((await reopened.editLink({ ...rename('four'), modified: DECEMBER })).kind).toBe(
        'edited',
      );
      expect(await reopened.countLinks('account-1', DECEMBER)).toMatchObject({ month: 1 });
      await reopened.purgeLink(ownLinkOf(link));
      expect(await (await reopen()).countLinks('account-1', NOW)).toMatchObject({ month: 3 });
    });

    test('do not count if the edit is to count against no quota', async () => {
      const { store, reopen } = await open();
      await addDomains(store, 'go.example');
      const link = await addLink(store, newLink('one', { quota: 1 }));
      const edit = { ...editOf(link, { alias: 'go.example/one' }), quota: null };
      expect((await store.editLink(edit)).kind).toBe('edited');
      for await (const subject of inTurn(store, reopen)) {
        expect(await subject.countLinks('account-1', NOW)).toMatchObject({ month: 1 });
      }
    });

    test('count exactly, also under concurrency', async () => {
      const { store, reopen } = await open();
      const links = await Promise.all(
        Array.from({ length: 10 }, (_, number) => addLink(store, newLink(`link-${number}`))),
      );
      const outcomes = await Promise.all(
        links.flatMap((link, number) => [
          store.editLink({ ...editOf(link, { alias: `renamed-${number}` }), quota: 15 }),
          store.addLink(newLink(`more-${number}`, { quota: 15 })),
        ]),
      );
      const exceeded = outcomes.filter(({ kind }) => kind === 'quota_exceeded');
      expect(exceeded).toHaveLength(15);
      for await (const subject of inTurn(store, reopen)) {
        expect(await subject.countLinks('account-1', NOW)).toMatchObject({ month: 15 });
      }
    });
  });

  describe(`${name}: an imported link`, () => {
    test('has its previous aliases from the start, except for those that are not available', async () => {
      const { store, reopen } = await open();
      await addLink(store, newLink('taken'));
      const link = await addLink(store, imported('New', ['Old', 'TAKEN', 'new', 'older', 'OLD']));
      expect(link).toMatchObject({ previousAliases: ['Old', 'older'], version: 1 });
      for await (const subject of inTurn(store, reopen)) {
        for (const alias of ['new', 'old', 'older']) {
          expect(await subject.findLink(alias)).toEqual(link);
          expect((await subject.addLink(imported(alias))).kind).toBe('alias_taken');
        }
        expect((await subject.findLink('taken'))?.id).not.toBe(link.id);
      }
    });

    test('counts with all its new aliases against the limit of imports, for good', async () => {
      const { store, reopen } = await open();
      const link = await addLink(store, imported('one', ['two', 'three'], 5));
      const usual = await addLink(store, newLink('own', { quota: 1 }));
      await store.purgeLink(ownLinkOf(usual));
      for await (const subject of inTurn(store, reopen)) {
        const outcome = await subject.addLink(imported('four', ['five', 'six'], 5));
        expect(outcome).toEqual({ kind: 'quota_exceeded' });
        expect(await subject.aliasStates(['four', 'five'], 'account-2')).toEqual([
          'unused',
          'unused',
        ]);
        const counts = { month: 1, total: 1, imported: 3 };
        expect(await subject.countLinks('account-1', NOW)).toEqual(counts);
      }
      const reopened = await reopen();
      await addLink(reopened, imported('four', ['own', 'five'], 5));
      await reopened.purgeLink(ownLinkOf(link));
      for await (const subject of inTurn(reopened, reopen)) {
        expect((await subject.addLink(imported('six', [], 5))).kind).toBe('quota_exceeded');
        expect(await subject.countLinks('account-1', NOW)).toMatchObject({ total: 1, imported: 5 });
      }
      const again = await addLink(await reopen(), imported('one', ['two', 'three'], 5));
      await (await reopen()).purgeLink(ownLinkOf(again));
      expect(await (await reopen()).countLinks('account-1', NOW)).toMatchObject({ imported: 5 });
    });

    test('counts exactly, also under concurrency', async () => {
      const { store, reopen } = await open();
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, number) =>
          store.addLink(imported(`new-${number}`, [`old-${number}`, 'shared'], 10)),
        ),
      );
      expect(outcomes.filter(({ kind }) => kind === 'added')).toHaveLength(4);
      expect(await (await reopen()).countLinks('account-1', NOW)).toMatchObject({ imported: 9 });
    });

    test('is there once, also if two imports add it at once', async () => {
      const { store, reopen } = await open();
      const { kind } = (await store.addLink(imported('before'))) as { kind: string };
      expect(kind).toBe('added');
      const again = (alias: string, importKey: string) =>
        store.addLink(newLink(alias, { link: { importKey } }));
      const outcomes = await Promise.all([
        again('one', 'row'),
        again('two', 'row'),
        again('three', 'row of before'),
        again('four', 'another row'),
      ]);
      expect(outcomes.map((outcome) => outcome.kind)).toEqual([
        'added',
        'imported_before',
        'imported_before',
        'added',
      ]);
      expect(await (await reopen()).countLinks('account-1', NOW)).toMatchObject({ imported: 3 });
    });

    test('is known by its key, in its account only, until it is purged', async () => {
      const { store, reopen } = await open();
      const link = await addLink(store, imported('one'));
      const other = { accountId: 'account-2', importKey: 'row of two' };
      await addLink(store, newLink('two', { link: other }));
      await addLink(store, newLink('own'));
      const keys = ['row of one', 'row of two', 'row of "three"'];
      for await (const subject of inTurn(store, reopen)) {
        expect(await subject.findImportKeys('account-1', keys)).toEqual(new Set([keys[0]]));
        expect(await subject.findImportKeys('account-2', keys)).toEqual(new Set([keys[1]]));
        expect(await subject.findImportKeys('account-3', keys)).toEqual(new Set());
      }
      const reopened = await reopen();
      await reopened.editLink(editOf(link, { alias: 'renamed', title: 'x' }));
      expect(await reopened.findImportKeys('account-1', keys)).toEqual(new Set([keys[0]]));
      await reopened.purgeLink(ownLinkOf(link));
      for await (const subject of inTurn(reopened, reopen)) {
        expect(await subject.findImportKeys('account-1', keys)).toEqual(new Set());
      }
    });
  });

  test(`${name}: aliases are unused, the account's own, or taken`, async () => {
    const { store, reopen } = await open();
    const link = await addLink(store, newLink('one'));
    await store.editLink(editOf(link, { alias: 'two' }));
    await store.editLink(editOf(link, { alias: 'three', previousAliases: [] }));
    const aliases = ['ONE', 'two', 'Three', 'four', 'four'];
    for await (const subject of inTurn(store, reopen)) {
      const own = ['own', 'taken', 'taken', 'unused', 'unused'];
      expect(await subject.aliasStates(aliases, 'account-1')).toEqual(own);
      const others = ['taken', 'taken', 'taken', 'unused', 'unused'];
      expect(await subject.aliasStates(aliases, 'account-2')).toEqual(others);
    }
  });
}
