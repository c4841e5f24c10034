import { describe, expect, test } from 'vitest';
import { changedLink, toLinkJson } from '../../../server/store/link.ts';
import type { Store } from '../../../server/store/store.ts';
import {
  ADMINISTRATOR,
  addLink,
  editOf,
  inTurn,
  knownLink,
  NOW,
  newAccount,
  newKey,
  newLink,
  newToken,
  type OpenSubject,
  ownLinkOf,
} from '../contract.ts';
import { domainOf } from './domains.ts';

export function describeEdits(name: string, open: OpenSubject): void {
  describe(`${name}: edits`, () => {
    test('keeps what a newer version has stored of a link, whatever is done to the link', async () => {
      const { store, reopen, maintain } = await open();
      // Under names that every object has, too.
      const newer = JSON.parse(
        '{"nickname":"L","watch":{"on":[1,null]},"__proto__":{"a":1},"toString":0}',
      );
      const storedOf = async (subject: Store) => {
        const link = await subject.findLink('one');
        return Object.entries(link ? toLinkJson(link) : {}).filter(([name]) =>
          Object.hasOwn(newer, name),
        );
      };
      const idempotency = newKey();
      const input = newLink('one', { idempotency });
      const link = await addLink(store, {
        ...input,
        link: { ...input.link, newerFields: newer },
      });
      const edits = [
        { title: 'new' },
        { alias: 'renamed' },
        { deletedAt: NOW },
        { deletedAt: null },
      ];
      for (const changes of edits) {
        expect(await store.editLink(editOf(link, changes))).toMatchObject({ kind: 'edited' });
        expect(await storedOf(store)).toEqual(Object.entries(newer));
      }
      await store.takeVisit(link.id);
      await store.addAccount({ ...newAccount(), id: 'account-2' });
      expect(await store.administration.moveLink(ownLinkOf(link), 'account-2')).toBe('moved');
      for await (const subject of inTurn(store, reopen, maintain, reopen)) {
        expect(await storedOf(subject)).toEqual(Object.entries(newer));
        const replay = await subject.findReplay(idempotency.keyHash, NOW);
        expect(replay?.link.newerFields).toEqual(newer);
        const { links } = await subject.listLinks({
          ...{ accountId: 'account-2', limit: 1, after: null, search: null, tag: null },
        });
        expect(links[0]?.newerFields).toEqual(newer);
      }
    });

    test('keeps what a newer version has stored of accounts, keys, domains and blocks', async () => {
      const { store, reopen, maintain } = await open();
      const newer = { shade: 'L', watch: { on: [1, null] } };
      const account = { ...newAccount(), ...newer };
      await store.addAccount(account);
      const token = { ...newToken(account.id), ...newer };
      await store.addToken({ token, by: ADMINISTRATOR });
      await store.administration.addDomain({ ...domainOf('go.example'), ...newer });
      const block = { kind: 'host', value: 'bad.example', reason: 'malware', since: NOW } as const;
      await store.administration.addBlock({ ...block, ...newer });

      await store.administration.editAccount(account.id, { name: 'Ann' });
      store.markTokenUsed(token, NOW);
      await store.administration.editDomain('go.example', { goneUrl: 'https://example.com/' });
      await store.administration.removeDomain('go.example', NOW);
      await store.administration.addDomain({ host: 'go.example', created: NOW });
      for await (const subject of inTurn(store, reopen, maintain, reopen)) {
        expect(await subject.findToken(token.tokenHash)).toMatchObject({
          account: { name: 'Ann', ...newer },
          token: { lastUsedOn: expect.any(Number), ...newer },
        });
        expect(subject.domains.get('go.example')).toMatchObject({ ...newer, removed: null });
        expect(subject.blocks.host.get('bad.example')).toMatchObject(newer);
      }
    });

    test('checks the version that the link must have', async () => {
      const { store } = await open();
      const original = await addLink(store, newLink('one'));
      const first = { ...editOf(original, { title: 'first' }), version: 1 };
      const outcome = await store.editLink(first);
      if (outcome.kind !== 'edited') throw new Error(outcome.kind);
      expect(outcome.link.version).toBe(2);
      expect(await store.editLink(first)).toEqual({ kind: 'version_mismatch', link: outcome.link });
      expect(await store.editLink({ ...first, version: 2 })).toMatchObject({
        link: { version: 3 },
      });
    });

    test('lets only one of concurrent edits of the same version pass', async () => {
      const { store } = await open();
      const original = await addLink(store, newLink('one'));
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, edit) =>
          store.editLink({ ...editOf(original, { title: `${edit}` }), version: 1 }),
        ),
      );
      const winners = outcomes.flatMap((outcome) =>
        outcome.kind === 'edited' ? [outcome.link] : [],
      );
      expect(winners).toHaveLength(1);
      const [link] = winners;
      expect(outcomes.filter(({ kind }) => kind !== 'edited')).toEqual(
        Array.from({ length: 9 }, () => ({ kind: 'version_mismatch', link })),
      );
    });

    test('rejects the alias of another link regardless of case and changes nothing', async () => {
      const { store, reopen } = await open();
      const original = await addLink(store, newLink('mine'));
      await addLink(store, newLink('taken'));
      const edit = editOf(original, { alias: 'TAKEN', title: 'lost' });
      expect(await store.editLink(edit)).toEqual({ kind: 'alias_taken' });
      for await (const subject of inTurn(store, reopen)) {
        expect(await subject.findLink('mine')).toEqual(original);
      }
    });

    test("accepts the link's own alias, unchanged or in another case", async () => {
      const { store } = await open();
      const original = await addLink(store, newLink('mine', { link: { aliasIsCustom: false } }));
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
      }));
      let expected = original;
      await Promise.all(
        edits.map(async (changes) => {
          const outcome = await store.editLink(editOf(original, changes));
          expected = changedLink(expected, {
            ...changes,
            editedAt: NOW + 1,
            version: expected.version + 1,
          });
          expect(outcome).toEqual({ kind: 'edited', link: expected });
        }),
      );
      for await (const subject of inTurn(store, reopen)) {
        expect(await subject.findLink(expected.alias)).toEqual(expected);
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

    test('keeps the hits, including those during the edit', async () => {
      const { store, time, reopen } = await open();
      const original = await addLink(store, newLink('visited'));
      store.countHit(original.id);
      const edited = store.editLink(editOf(original, { alias: 'other' }));
      store.countHit(original.id);
      await edited;
      store.countHit(original.id);
      await time.advance(1000);
      expect(await store.findLink('other')).toMatchObject({ hits: 3 });
      expect(await (await reopen()).findLink('other')).toMatchObject({ hits: 3 });
    });

    test('makes the link another object, unlike a hit or another link', async () => {
      const { store } = await open();
      const original = await addLink(store, newLink('counted'));
      const known = await knownLink(store, 'COUNTED');
      expect(known).toMatchObject({ id: original.id, title: '' });
      store.countHit(original.id);
      await addLink(store, newLink('other'));
      await store.editLink(editOf(original, { alias: 'other' }));
      expect(await knownLink(store, 'counted')).toBe(known);
      await store.editLink(editOf(original, { title: 'New' }));
      expect(store.knownLink('counted')).not.toBe(known);
      const edited = { id: original.id, title: 'New' };
      expect(await knownLink(store, 'counted')).toMatchObject(edited);
      expect(store.knownLink('nobody')).toBeUndefined();
    });
  });
}
