import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type {
  Account,
  Idempotency,
  Link,
  LinkChanges,
  LinkEdit,
  LinkWish,
  Store,
} from '../../server/store/store.ts';
import { IDEMPOTENCY_WINDOW_MS } from '../../shared/limits.ts';

export const NOW = Date.UTC(2026, 10, 20, 12);

/** A store that a test may close and open again on the same data. */
export type Subject = { store: Store; reopen: () => Promise<Store> };

export function wishFor(alias: string, changes: Partial<LinkWish> = {}): LinkWish {
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

/** The change that leads a link to another target. */
export function targetOf(originalUrl: string): Pick<Link, 'originalUrl' | 'targetUrl'> {
  return { originalUrl, targetUrl: new URL(originalUrl).href };
}

export async function addLink(store: Store, wish: LinkWish): Promise<Link> {
  const outcome = await store.addLink(wish);
  if (outcome.kind !== 'added') throw new Error(`the link must be added: ${outcome.kind}`);
  return outcome.link;
}

function newAccount(): Account {
  return { id: randomUUID(), tokenHash: randomUUID(), created: NOW };
}

function newKey(): Idempotency {
  return { keyHash: randomUUID(), bodyHash: 'body', tokenSalt: 'salt' };
}

/** What every driver must do. `open` gives a new, empty store, cleaned up when the test is over. */
export function describeStoreContract(name: string, open: () => Promise<Subject>): void {
  describe(`${name}: links`, () => {
    test('finds a link by its alias, whatever the case, with every field as it was given', async () => {
      const { store } = await open();
      const wish = wishFor('My-Link');
      wish.link = {
        ...wish.link,
        originalUrl: 'https://example.com/ü',
        targetUrl: 'https://example.com/%C3%BC',
        title: 'A "title" — ü',
        description: 'two\nlines',
        passwordHash: '$argon2id$v=19$m=1,t=1,p=1$c2FsdA$aGFzaA',
        expiresAt: NOW + 1,
        waitTimerSeconds: 2.5,
        gtmId: 'GTM-ABCD',
      };
      const outcome = await store.addLink(wish);
      const link = { ...wish.link, alias: 'My-Link' };
      expect(outcome).toEqual({ kind: 'added', link, linksInMonth: 1 });
      expect(await store.findLink('mY-lINK')).toEqual(link);
      expect(await store.findLink('my-lin')).toBeUndefined();
    });

    test('keeps links when it is closed and opened again', async () => {
      const { store, reopen } = await open();
      await store.addLink(wishFor('one'));
      const before = await store.findLink('one');
      const reopened = await reopen();
      expect(await reopened.findLink('ONE')).toEqual(before);
    });

    test('refuses an alias that is taken, whatever its case, and keeps nothing of that call', async () => {
      const { store, reopen } = await open();
      await store.addLink(wishFor('taken'));
      const account = newAccount();
      const idempotency = newKey();
      const outcome = await store.addLink(
        wishFor('TAKEN', { newAccount: account, idempotency, aliases: ['TAKEN'] }),
      );
      expect(outcome).toEqual({ kind: 'alias_taken' });
      for (const subject of [store, await reopen()]) {
        expect(await subject.findAccount(account.tokenHash)).toBeUndefined();
        expect(await subject.findReplay(idempotency.keyHash, NOW)).toBeUndefined();
        expect((await subject.countLinks('account-1', NOW)).total).toBe(1);
      }
    });

    test('takes the first alias that is free', async () => {
      const { store } = await open();
      await store.addLink(wishFor('a'));
      const outcome = await store.addLink(wishFor('', { aliases: ['a', 'A', 'b', 'c'] }));
      expect(outcome).toMatchObject({ kind: 'added', link: { alias: 'b' } });
    });

    test('gives an alias once to forty concurrent calls', async () => {
      const { store } = await open();
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, (_, call) => store.addLink(wishFor(call % 2 ? 'race' : 'RACE'))),
      );
      expect(outcomes.filter(({ kind }) => kind === 'added')).toHaveLength(1);
      expect(outcomes.filter(({ kind }) => kind === 'alias_taken')).toHaveLength(39);
    });
  });

  describe(`${name}: edits`, () => {
    test('changes what is given and the time of the change, and nothing else', async () => {
      const { store, reopen } = await open();
      const wish = wishFor('before');
      wish.link = { ...wish.link, aliasIsCustom: false, title: 'kept', passwordHash: 'hash' };
      const made = await addLink(store, wish);
      const changes = { description: 'ü\n"', expiresAt: NOW + 5, passwordHash: null };
      const link = { ...made, ...changes, modified: NOW + 1 };
      expect(await store.editLink(editOf(made, changes))).toEqual({ kind: 'edited', link });
      for (const subject of [store, await reopen()]) {
        expect(await subject.findLink('before')).toEqual(link);
      }
    });

    test('changes every field, and back', async () => {
      const { store, reopen } = await open();
      const made = await addLink(store, wishFor('before'));
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
      await store.editLink(editOf(made, all));
      const reopened = await reopen();
      expect(await reopened.findLink('after')).toEqual({ ...made, ...all, modified: NOW + 1 });
      const { id: _, accountId: __, aliasIsCustom: ___, hits: ____, created, ...fields } = made;
      const { modified, ...changes } = fields;
      const edit = { ...editOf(made, changes), modified: created };
      expect(await reopened.editLink(edit)).toEqual({ kind: 'edited', link: made });
      expect(await (await reopen()).findLink('before')).toEqual(made);
      expect(modified).toBe(created);
    });

    test('frees the alias that it gives up, at once, and takes the new one as asked for', async () => {
      const { store, reopen } = await open();
      const wish = wishFor('old');
      wish.link.aliasIsCustom = false;
      const made = await addLink(store, wish);
      await store.editLink(editOf(made, { alias: 'new' }));
      expect(await store.findLink('old')).toBeUndefined();
      const next = await addLink(store, wishFor('OLD'));
      for (const subject of [store, await reopen()]) {
        expect(await subject.findLink('new')).toMatchObject({ id: made.id, aliasIsCustom: true });
        expect(await subject.findLink('old')).toEqual(next);
      }
    });

    test('lets two links exchange their aliases, by way of a third', async () => {
      const { store, reopen } = await open();
      const one = await addLink(store, wishFor('one'));
      const two = await addLink(store, wishFor('two'));
      await store.editLink(editOf(one, { alias: 'three' }));
      await store.editLink(editOf(two, { alias: 'one' }));
      await store.editLink(editOf(one, { alias: 'two' }));
      for (const subject of [store, await reopen()]) {
        expect((await subject.findLink('one'))?.id).toBe(two.id);
        expect((await subject.findLink('two'))?.id).toBe(one.id);
        expect(await subject.findLink('three')).toBeUndefined();
      }
    });

    test('refuses an alias that another link has, whatever its case, and changes nothing', async () => {
      const { store, reopen } = await open();
      const made = await addLink(store, wishFor('mine'));
      await addLink(store, wishFor('taken'));
      const edit = editOf(made, { alias: 'TAKEN', title: 'lost' });
      expect(await store.editLink(edit)).toEqual({ kind: 'alias_taken' });
      for (const subject of [store, await reopen()]) {
        expect(await subject.findLink('mine')).toEqual(made);
      }
    });

    test("takes the link's own alias in another case, or as it is", async () => {
      const { store } = await open();
      const wish = wishFor('mine');
      wish.link.aliasIsCustom = false;
      const made = await addLink(store, wish);
      expect(await store.editLink(editOf(made, { alias: 'mine' }))).toMatchObject({
        link: { alias: 'mine', aliasIsCustom: false },
      });
      expect(await store.editLink(editOf(made, { alias: 'Mine' }))).toMatchObject({
        link: { alias: 'Mine', aliasIsCustom: true },
      });
      expect(await store.findLink('mine')).toMatchObject({ alias: 'Mine' });
    });

    test('finds neither a link that is not there nor one of another account', async () => {
      const { store } = await open();
      const made = await addLink(store, wishFor('mine'));
      const changes = { title: 'stolen' };
      for (const other of [
        { ...made, id: 'nowhere' },
        { ...made, accountId: 'account-2' },
      ]) {
        expect(await store.editLink(editOf(other, changes))).toEqual({ kind: 'not_found' });
      }
      expect(await store.findLink('mine')).toEqual(made);
    });

    test('makes concurrent edits of one link one after the other, each of them whole', async () => {
      const { store, reopen } = await open();
      const made = await addLink(store, wishFor('one'));
      const edits = Array.from({ length: 20 }, (_, edit) => ({
        title: `title ${edit}`,
        ...(edit % 2 && { description: `description ${edit}` }),
        ...(edit % 3 && { alias: `alias-${edit}` }),
      }));
      let expected = made;
      await Promise.all(
        edits.map(async (changes) => {
          const outcome = await store.editLink(editOf(made, changes));
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

    test('gives an alias once to concurrent edits and new links', async () => {
      const { store, reopen } = await open();
      const made = await Promise.all(
        Array.from({ length: 20 }, (_, link) => addLink(store, wishFor(`link-${link}`))),
      );
      const outcomes = await Promise.all(
        made.flatMap((link, call) => [
          store.editLink(editOf(link, { alias: call % 2 ? 'race' : 'RACE' })),
          store.addLink(wishFor('Race')),
        ]),
      );
      expect(outcomes.filter(({ kind }) => kind === 'edited' || kind === 'added')).toHaveLength(1);
      expect(outcomes.filter(({ kind }) => kind === 'alias_taken')).toHaveLength(39);
      const winner = await store.findLink('race');
      expect(await (await reopen()).findLink('race')).toEqual(winner);
    });

    test('gives a new link an alias that was free before or after an edit under way', async () => {
      const { store } = await open();
      const made = await addLink(store, wishFor('left'));
      const [, added] = await Promise.all([
        store.editLink(editOf(made, { alias: 'taken' })),
        addLink(store, wishFor('', { aliases: ['taken', 'left', 'never needed'] })),
      ]);
      expect(added.alias).not.toBe('never needed');
    });

    test('keeps hits, those that come meanwhile too', async () => {
      const { store, reopen } = await open();
      const made = await addLink(store, wishFor('visited'));
      store.hitCounter(made.id)();
      const edited = store.editLink(editOf(made, { alias: 'other' }));
      store.countHit(made.id);
      await edited;
      store.countHit(made.id);
      expect(await store.findLink('other')).toMatchObject({ hits: 3 });
      expect(await (await reopen()).findLink('other')).toMatchObject({ hits: 3 });
    });

    test('grows the count of changes when it is kept, as neither a new link nor a hit does', async () => {
      const { store } = await open();
      const before = store.changeCount;
      const made = await addLink(store, wishFor('counted'));
      store.countHit(made.id);
      await addLink(store, wishFor('other'));
      expect(store.changeCount).toBe(before);
      await store.editLink(editOf(made, { alias: 'other' }));
      expect(store.changeCount).toBe(before);
      await store.editLink(editOf(made, { title: 'New' }));
      expect(store.changeCount).toBeGreaterThan(before);
    });

    test('costs no place in the quota', async () => {
      const { store, reopen } = await open();
      const made = await addLink(store, wishFor('one', { monthlyQuota: 1 }));
      const edit = editOf(made, { alias: 'two' });
      expect((await store.editLink({ ...edit, modified: Date.UTC(2026, 11) })).kind).toBe('edited');
      expect(await store.countLinks('account-1', NOW)).toEqual({ month: 1, total: 1 });
      const reopened = await reopen();
      expect(await reopened.countLinks('account-1', NOW)).toEqual({ month: 1, total: 1 });
    });
  });

  describe(`${name}: accounts and quota`, () => {
    test('opens the account with its first link', async () => {
      const { store, reopen } = await open();
      const account = newAccount();
      await store.addLink(wishFor('one', { newAccount: account }));
      expect(await store.findAccount(account.tokenHash)).toEqual(account);
      expect(await (await reopen()).findAccount(account.tokenHash)).toEqual(account);
    });

    test('gives five links under a quota of five to twenty concurrent calls, and counts again next month', async () => {
      const { store, reopen } = await open();
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, call) =>
          store.addLink(wishFor(`link-${call}`, { monthlyQuota: 5 })),
        ),
      );
      expect(outcomes.filter(({ kind }) => kind === 'added')).toHaveLength(5);
      expect(outcomes.filter(({ kind }) => kind === 'quota_exceeded')).toHaveLength(15);
      expect(await store.countLinks('account-1', NOW)).toEqual({ month: 5, total: 5 });

      const reopened = await reopen();
      expect(await reopened.countLinks('account-1', NOW)).toEqual({ month: 5, total: 5 });
      expect((await reopened.addLink(wishFor('more', { monthlyQuota: 5 }))).kind).toBe(
        'quota_exceeded',
      );
      const wish = wishFor('december', { monthlyQuota: 5 });
      wish.link.created = Date.UTC(2026, 11, 1);
      expect((await reopened.addLink(wish)).kind).toBe('added');
      expect(await reopened.countLinks('account-1', Date.UTC(2026, 11))).toEqual({
        month: 1,
        total: 6,
      });
    });

    test('asks for the quota before the alias', async () => {
      const { store } = await open();
      await store.addLink(wishFor('taken'));
      expect((await store.addLink(wishFor('taken', { monthlyQuota: 1 }))).kind).toBe(
        'quota_exceeded',
      );
    });

    test('counts nothing for an account that it does not know', async () => {
      const { store } = await open();
      expect(await store.countLinks('nobody', NOW)).toEqual({ month: 0, total: 0 });
    });
  });

  describe(`${name}: idempotency`, () => {
    test('answers a known key with its link, before quota and alias are looked at', async () => {
      const { store, reopen } = await open();
      const idempotency = newKey();
      const first = await store.addLink(wishFor('once', { idempotency }));
      if (first.kind !== 'added') throw new Error('the first call must add its link');
      const replay = { ...idempotency, link: first.link };
      for (const subject of [store, await reopen()]) {
        expect(
          await subject.addLink(
            wishFor('once', { idempotency: { ...idempotency, tokenSalt: 'x' }, monthlyQuota: 0 }),
          ),
        ).toEqual({ kind: 'replayed', replay });
        expect(await subject.findReplay(idempotency.keyHash, NOW)).toEqual(replay);
      }
    });

    test('answers with the link as it was made, whatever came of it since', async () => {
      const { store, reopen } = await open();
      const idempotency = newKey();
      const made = await addLink(store, wishFor('made', { idempotency }));
      await store.editLink(editOf(made, { alias: 'edited', title: 'edited', isActive: false }));
      await store.editLink(editOf(made, targetOf('https://example.com/again')));
      store.countHit(made.id);
      const again = wishFor('made', { idempotency });
      for (const subject of [store, await reopen()]) {
        const replay = { ...idempotency, link: made };
        expect(await subject.findReplay(idempotency.keyHash, NOW)).toEqual(replay);
        expect(await subject.addLink(again)).toEqual({ kind: 'replayed', replay });
      }
    });

    test('answers mismatch when the body differs', async () => {
      const { store } = await open();
      const idempotency = newKey();
      await store.addLink(wishFor('once', { idempotency }));
      expect(
        await store.addLink(
          wishFor('twice', { idempotency: { ...idempotency, bodyHash: 'other' } }),
        ),
      ).toEqual({ kind: 'mismatch' });
      expect(await store.findLink('twice')).toBeUndefined();
    });

    test('makes one link of twenty concurrent calls with one key', async () => {
      const { store } = await open();
      const idempotency = newKey();
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, call) =>
          store.addLink(wishFor(`link-${call}`, { idempotency })),
        ),
      );
      expect(outcomes.filter(({ kind }) => kind === 'added')).toHaveLength(1);
      expect(outcomes.filter(({ kind }) => kind === 'replayed')).toHaveLength(19);
    });

    test('forgets a key after the window', async () => {
      const { store } = await open();
      const idempotency = newKey();
      await store.addLink(wishFor('once', { idempotency }));
      const end = NOW + IDEMPOTENCY_WINDOW_MS;
      expect(await store.findReplay(idempotency.keyHash, end - 1)).toBeDefined();
      expect(await store.findReplay(idempotency.keyHash, end)).toBeUndefined();
      const wish = wishFor('again', { idempotency });
      wish.link.created = end;
      expect((await store.addLink(wish)).kind).toBe('added');
    });
  });

  describe(`${name}: hits and secret`, () => {
    test('counts hits, and keeps them when it is closed', async () => {
      const { store, reopen } = await open();
      const outcome = await store.addLink(wishFor('visited'));
      if (outcome.kind !== 'added') throw new Error('the link must be added');
      for (let hit = 0; hit < 3; hit++) store.countHit(outcome.link.id);
      store.countHit('no such link');
      expect((await store.findLink('visited'))?.hits).toBe(3);
      expect((await (await reopen()).findLink('visited'))?.hits).toBe(3);
    });

    test('makes a secret of 32 bytes once, and gives the same ever after', async () => {
      const { store, reopen } = await open();
      const secret = await store.secret();
      expect(secret).toHaveLength(32);
      expect(await store.secret()).toEqual(secret);
      expect(await (await reopen()).secret()).toEqual(secret);
      expect(await (await open()).store.secret()).not.toEqual(secret);
    });
  });
}
