import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Account } from '../../server/store/account.ts';
import type { Idempotency, Link, LinkChanges, LinkEdit, NewLink } from '../../server/store/link.ts';
import type { Store } from '../../server/store/store.ts';
import { IDEMPOTENCY_WINDOW_MS } from '../../shared/limits.ts';

export const NOW = Date.UTC(2026, 10, 20, 12);

/** A store that a test can close and reopen with the same data. */
export type Subject = { store: Store; reopen: () => Promise<Store> };

export function newLink(alias: string, changes: Partial<NewLink> = {}): NewLink {
  return {
    link: {
      id: randomBytes(12).toString('base64url'),
      accountId: 'account-1',
      aliasIsCustom: true,
      originalUrl: 'https://example.com/page',
      targetUrl: 'https://example.com/page',
      title: '',
      description: null,
      passwordHash: null,
      expiresAt: null,
      waitTimerSeconds: 0,
      gtmId: null,
      isActive: true,
      hits: 0,
      created: NOW,
      modified: NOW,
      furtherAliases: [],
      tags: [],
      maxVisits: null,
      forwardQuery: false,
      deletedAt: null,
      version: 1,
      importKey: null,
    },
    aliases: [alias],
    newAccount: null,
    idempotency: null,
    monthlyQuota: 1000,
    ...changes,
  };
}

/** An edit by the link's own account. */
export function editOf(link: Pick<Link, 'id' | 'accountId'>, changes: LinkChanges): LinkEdit {
  return { linkId: link.id, accountId: link.accountId, changes, modified: NOW + 1 };
}

/** The changes that set another target. */
export function targetOf(originalUrl: string): Pick<Link, 'originalUrl' | 'targetUrl'> {
  return { originalUrl, targetUrl: new URL(originalUrl).href };
}

export async function addLink(store: Store, input: NewLink): Promise<Link> {
  const outcome = await store.addLink(input);
  if (outcome.kind !== 'added') throw new Error(`the link must be added: ${outcome.kind}`);
  return outcome.link;
}

function newAccount(): Account {
  return { id: randomUUID(), tokenHash: randomUUID(), name: '', created: NOW };
}

function newKey(): Idempotency {
  return { keyHash: randomUUID(), bodyHash: 'body', tokenSalt: 'salt' };
}

/** Tests that every driver must pass. `open` returns a new, empty store that is removed after the test. */
export function describeStoreContract(name: string, open: () => Promise<Subject>): void {
  describe(`${name}: links`, () => {
    test('finds a link by its alias, regardless of case, with all fields unchanged', async () => {
      const { store } = await open();
      const input = newLink('My-Link');
      input.link = {
        ...input.link,
        originalUrl: 'https://example.com/ü',
        targetUrl: 'https://example.com/%C3%BC',
        title: 'A "title" — ü',
        description: 'two\nlines',
        passwordHash: '$argon2id$v=19$m=1,t=1,p=1$c2FsdA$aGFzaA',
        expiresAt: NOW + 1,
        waitTimerSeconds: 2.5,
        gtmId: 'GTM-ABCD',
      };
      const outcome = await store.addLink(input);
      const link = { ...input.link, alias: 'My-Link' };
      expect(outcome).toEqual({ kind: 'added', link, linksInMonth: 1 });
      expect(await store.findLink('mY-lINK')).toEqual(link);
      expect(await store.findLink('my-lin')).toBeUndefined();
    });

    test('preserves links when it is closed and reopened', async () => {
      const { store, reopen } = await open();
      await store.addLink(newLink('one'));
      const before = await store.findLink('one');
      const reopened = await reopen();
      expect(await reopened.findLink('ONE')).toEqual(before);
    });

    test('rejects a taken alias regardless of case and stores nothing of that call', async () => {
      const { store, reopen } = await open();
      await store.addLink(newLink('taken'));
      const account = newAccount();
      const idempotency = newKey();
      const outcome = await store.addLink(
        newLink('TAKEN', { newAccount: account, idempotency, aliases: ['TAKEN'] }),
      );
      expect(outcome).toEqual({ kind: 'alias_taken' });
      for (const subject of [store, await reopen()]) {
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
      expect(await store.countLinks('account-1', NOW)).toEqual({ month: 1, total: 1 });
      const reopened = await reopen();
      expect(await reopened.countLinks('account-1', NOW)).toEqual({ month: 1, total: 1 });
    });
  });

  describe(`${name}: accounts and quota`, () => {
    test('creates the account with its first link', async () => {
      const { store, reopen } = await open();
      const account = newAccount();
      await store.addLink(newLink('one', { newAccount: account }));
      expect((await store.findToken(account.tokenHash))?.account).toEqual(account);
      expect((await (await reopen()).findToken(account.tokenHash))?.account).toEqual(account);
    });

    test('enforces the quota exactly under concurrent calls and resets it next month', async () => {
      const { store, reopen } = await open();
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, call) =>
          store.addLink(newLink(`link-${call}`, { monthlyQuota: 5 })),
        ),
      );
      expect(outcomes.filter(({ kind }) => kind === 'added')).toHaveLength(5);
      expect(outcomes.filter(({ kind }) => kind === 'quota_exceeded')).toHaveLength(15);
      expect(await store.countLinks('account-1', NOW)).toEqual({ month: 5, total: 5 });

      const reopened = await reopen();
      expect(await reopened.countLinks('account-1', NOW)).toEqual({ month: 5, total: 5 });
      expect((await reopened.addLink(newLink('more', { monthlyQuota: 5 }))).kind).toBe(
        'quota_exceeded',
      );
      const input = newLink('december', { monthlyQuota: 5 });
      input.link.created = Date.UTC(2026, 11, 1);
      expect((await reopened.addLink(input)).kind).toBe('added');
      expect(await reopened.countLinks('account-1', Date.UTC(2026, 11))).toEqual({
        month: 1,
        total: 6,
      });
    });

    test('checks the quota before the alias', async () => {
      const { store } = await open();
      await store.addLink(newLink('taken'));
      expect((await store.addLink(newLink('taken', { monthlyQuota: 1 }))).kind).toBe(
        'quota_exceeded',
      );
    });

    test('returns zero counts for an unknown account', async () => {
      const { store } = await open();
      expect(await store.countLinks('nobody', NOW)).toEqual({ month: 0, total: 0 });
    });
  });

  describe(`${name}: idempotency`, () => {
    test('returns the link of a known key before it checks quota and alias', async () => {
      const { store, reopen } = await open();
      const idempotency = newKey();
      const first = await store.addLink(newLink('once', { idempotency }));
      if (first.kind !== 'added') throw new Error('the first call must add its link');
      const replay = { ...idempotency, link: first.link };
      for (const subject of [store, await reopen()]) {
        expect(
          await subject.addLink(
            newLink('once', { idempotency: { ...idempotency, tokenSalt: 'x' }, monthlyQuota: 0 }),
          ),
        ).toEqual({ kind: 'replayed', replay });
        expect(await subject.findReplay(idempotency.keyHash, NOW)).toEqual(replay);
      }
    });

    test('returns the link as it was created, even if it was edited since', async () => {
      const { store, reopen } = await open();
      const idempotency = newKey();
      const original = await addLink(store, newLink('original', { idempotency }));
      await store.editLink(editOf(original, { alias: 'edited', title: 'edited', isActive: false }));
      await store.editLink(editOf(original, targetOf('https://example.com/again')));
      store.countHit(original.id);
      const again = newLink('original', { idempotency });
      for (const subject of [store, await reopen()]) {
        const replay = { ...idempotency, link: original };
        expect(await subject.findReplay(idempotency.keyHash, NOW)).toEqual(replay);
        expect(await subject.addLink(again)).toEqual({ kind: 'replayed', replay });
      }
    });

    test('returns mismatch if the body differs', async () => {
      const { store } = await open();
      const idempotency = newKey();
      await store.addLink(newLink('once', { idempotency }));
      expect(
        await store.addLink(
          newLink('twice', { idempotency: { ...idempotency, bodyHash: 'other' } }),
        ),
      ).toEqual({ kind: 'mismatch' });
      expect(await store.findLink('twice')).toBeUndefined();
    });

    test('creates one link for twenty concurrent calls with the same key', async () => {
      const { store } = await open();
      const idempotency = newKey();
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, call) =>
          store.addLink(newLink(`link-${call}`, { idempotency })),
        ),
      );
      expect(outcomes.filter(({ kind }) => kind === 'added')).toHaveLength(1);
      expect(outcomes.filter(({ kind }) => kind === 'replayed')).toHaveLength(19);
    });

    test('deletes a key after the window', async () => {
      const { store } = await open();
      const idempotency = newKey();
      await store.addLink(newLink('once', { idempotency }));
      const end = NOW + IDEMPOTENCY_WINDOW_MS;
      expect(await store.findReplay(idempotency.keyHash, end - 1)).toBeDefined();
      expect(await store.findReplay(idempotency.keyHash, end)).toBeUndefined();
      const input = newLink('again', { idempotency });
      input.link.created = end;
      expect((await store.addLink(input)).kind).toBe('added');
    });
  });

  describe(`${name}: hits and secret`, () => {
    test('counts hits and saves them when it is closed', async () => {
      const { store, reopen } = await open();
      const outcome = await store.addLink(newLink('visited'));
      if (outcome.kind !== 'added') throw new Error('the link must be added');
      for (let hit = 0; hit < 3; hit++) store.countHit(outcome.link.id);
      store.countHit('no such link');
      expect((await store.findLink('visited'))?.hits).toBe(3);
      expect((await (await reopen()).findLink('visited'))?.hits).toBe(3);
    });

    test('creates a secret of 32 bytes once and always returns the same one', async () => {
      const { store, reopen } = await open();
      const secret = await store.secret();
      expect(secret).toHaveLength(32);
      expect(await store.secret()).toEqual(secret);
      expect(await (await reopen()).secret()).toEqual(secret);
      expect(await (await open()).store.secret()).not.toEqual(secret);
    });
  });
}
