import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { Authorization } from '../../server/store/account.ts';
import type { Link } from '../../server/store/link.ts';
import type { NewLink } from '../../server/store/link-calls.ts';
import { type Store, StoreUnavailableError } from '../../server/store/store.ts';
import {
  addLink,
  editOf,
  NOW,
  newAccount,
  newKey,
  newLink,
  newToken,
  ownLinkOf,
  targetOf,
} from '../store/contract.ts';
import { connectTo, newDatabase } from './support/databases.ts';
import { lookUpUntilKnown, openStores, twoStores, withDatabase } from './support/open-stores.ts';

/** Calls on each of the stores in turn, all at once. */
function onAll<T>(
  stores: Store[],
  calls: number,
  call: (store: Store, place: number) => Promise<T>,
) {
  return Promise.all(
    Array.from({ length: calls }, (_, place) =>
      call(stores[place % stores.length] as Store, place),
    ),
  );
}

const threeStores = async () => openStores(3, await newDatabase());
const kindsOf = (outcomes: { kind: string }[]) =>
  Map.groupBy(outcomes, ({ kind }) => kind) as Map<string, unknown[]>;
const count = (outcomes: { kind: string }[], kind: string) =>
  kindsOf(outcomes).get(kind)?.length ?? 0;

describe('several servers with one database', () => {
  test('give an alias to one of them, whichever accounts want it, by new links and by edits', async () => {
    const stores = await threeStores();
    const links = await onAll(stores, 15, (store, place) =>
      addLink(store, linkOf(`account-${place}`, `link-${place}`)),
    );
    const outcomes = await onAll<{ kind: string }>(stores, 30, (store, place) =>
      place < 15
        ? store.editLink(editOf(links[place] as Link, { alias: 'Race' }))
        : store.addLink(linkOf(`account-${place}`, 'race')),
    );
    expect(count(outcomes, 'alias_taken')).toBe(29);
    expect(await stores[0]?.findLink('race')).toBeDefined();
  });

  test('keep to the quota of an account exactly', async () => {
    const stores = await threeStores();
    const outcomes = await onAll(stores, 90, (store, place) =>
      store.addLink(newLink(`link-${place}`, { quota: 20 })),
    );
    expect(count(outcomes, 'added')).toBe(20);
    expect(count(outcomes, 'quota_exceeded')).toBe(70);
    for (const store of stores) {
      const page = await store.listLinks(listOf('account-1'));
      expect(page.links).toHaveLength(20);
    }
  });

  test('make one token of one code that signs in', async () => {
    const stores = await threeStores();
    const account = newAccount();
    const { tokenHash: by = '', id: accountId } = account;
    await addLink(
      stores[0] as Store,
      newLink('link', { newAccount: account, link: { accountId } }),
    );
    const code = newToken(accountId, { signIn: { expires: NOW + 1000, by } });
    await stores[0]?.addSignInCode({ code, by: { kind: 'administrator' } });
    const outcomes = await onAll(stores, 9, (store) =>
      store.redeemSignInCode({
        codeHash: code.tokenHash,
        token: newToken(accountId, { created: NOW }),
      }),
    );
    expect(outcomes.filter((outcome) => outcome === 'redeemed')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'invalid')).toHaveLength(8);
  });

  test('make one link for one idempotency key', async () => {
    const stores = await threeStores();
    const idempotency = newKey();
    const outcomes = await onAll(stores, 60, (store, place) =>
      store.addLink(linkOf(`account-${place}`, `link-${place}`, { idempotency })),
    );
    expect(count(outcomes, 'added')).toBe(1);
    expect(count(outcomes, 'replayed')).toBe(59);
  });

  test('let exactly as many visitors pass as a link allows, also those of a link that is renamed', async () => {
    const stores = await threeStores();
    const link = await addLink(stores[0] as Store, newLink('limited', { link: { maxVisits: 40 } }));
    const visiting = onAll(stores, 150, (store) => store.takeVisit(link.id));
    await stores[1]?.editLink(editOf(link, { alias: 'renamed' }));
    const passed = await visiting;
    expect(passed.filter((each) => each)).toHaveLength(40);
    for (const store of stores) expect(await store.takeVisit(link.id)).toBe(false);
    expect(await stores[2]?.findLink('limited')).toMatchObject({ hits: 40, alias: 'renamed' });
  });

  test('block a link or erase it, never both', async () => {
    const [one, other] = await twoStores();
    const links = await onAll([one], 60, (_, place) =>
      addLink(one, linkOf(`account-${place}`, `link-${place}`)),
    );
    const outcomes = await Promise.all(
      links.map((link) =>
        Promise.all([
          one.administration.addBlock({ kind: 'link', value: link.id, reason: '', since: NOW }),
          other.purgeLink(ownLinkOf(link)),
        ]),
      ),
    );
    for (const [isBlocked, outcome] of outcomes) {
      expect(outcome).toBe(isBlocked ? 'link_blocked' : 'purged');
    }
  });

  test('keep the aliases of a link that another one has just blocked', async () => {
    const [one, other] = await twoStores();
    const link = await addLink(one, newLink('old'));
    await one.editLink(editOf(link, { alias: 'new' }));
    const block = { kind: 'link', value: link.id } as const;
    for (let round = 0; round < 20; round++) {
      await one.administration.addBlock({ ...block, reason: '', since: NOW });
      for (const changes of [{ previousAliases: [] }, { alias: 'newer' }]) {
        expect(await other.editLink(editOf(link, changes))).toEqual({ kind: 'link_blocked' });
      }
      expect(await other.purgeLink(ownLinkOf(link))).toBe('link_blocked');
      await one.administration.removeBlock(block);
    }
  });

  test('sum up the hits of all of them', async () => {
    const stores = await threeStores();
    const link = await addLink(stores[0] as Store, newLink('visited'));
    for (const store of stores) expect(await store.findLink('visited')).toMatchObject({ hits: 0 });
    for (const store of stores) for (let hit = 0; hit < 5; hit++) store.countHit(link.id);
    const hits = async () => {
      const { links } = (await stores[0]?.listLinks(listOf('account-1'))) ?? { links: [] };
      return links[0]?.hits;
    };
    await expect.poll(hits).toBe(15);
    for (const store of stores) {
      await expect.poll(async () => (await store.findLink('visited'))?.hits).toBe(15);
    }
  });

  test('add the links of one account together while one is being written', async () => {
    const url = await newDatabase();
    const [store] = (await openStores(1, url)) as [Store];
    await Promise.all(
      Array.from({ length: 101 }, (_, place) => addLink(store, newLink(`link-${place}`))),
    );
    const client = await connectTo(url);
    // Rows of one transaction have the same `xmin`.
    const { rows } = await client.query(
      `SELECT count(*)::integer AS links, count(DISTINCT xmin::text)::integer AS transactions
       FROM links`,
    );
    expect(rows).toEqual([{ links: 101, transactions: 2 }]);
  });
});

describe('changes that share a transaction', () => {
  test('are made within seconds, although another server hangs with the lock of an account', async () => {
    const url = await newDatabase();
    const [store] = (await openStores(1, url)) as [Store];
    await addLink(store, linkOf('locked', 'first'));
    // The first four are transactions of their own.
    const accounts = [...Array.from({ length: 30 }, (_, index) => `account-${index}`), 'locked'];
    let links = 0;
    /** @returns how many changes failed */
    const addWhileLocked = async () => {
      const release = await hangWithLock(url, 'locked');
      const adding = accounts.map((id) => addLink(store, linkOf(id, `link-${links++}`)));
      const results = await Promise.allSettled(adding);
      await expect(release()).rejects.toBeInstanceOf(StoreUnavailableError);
      return results.filter(({ status }) => status === 'rejected').length;
    };
    // Some can fail if the whole machine stops for a second.
    await expect.poll(addWhileLocked).toBe(0);
    const { total } = await store.countLinks('locked', NOW);
    expect(total).toBeGreaterThan(1);
  });

  test('do not fail with one that the database refuses', async () => {
    const [store] = (await openStores(1, await newDatabase())) as [Store];
    const aliases = ['one', 'two', 'nul\0', 'three', 'four', 'five', 'six'];
    const added = await Promise.allSettled(
      aliases.flatMap((alias) => [
        addLink(store, linkOf('account-1', alias)),
        addLink(store, linkOf(`account of ${alias.length}`, `${alias}-other`)),
      ]),
    );
    const failed = added.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []));
    expect(failed).toEqual([4, 5]);
    expect(await store.countLinks('account-1', NOW)).toMatchObject({ total: 6 });
  });
});

describe('a change on another server', () => {
  test.each([
    ['addLink', (store, link, by) => store.addLink({ ...linkOf(link.accountId, 'late'), by })],
    ['editLink', (store, link, by) => store.editLink({ ...editOf(link, { title: 'Late' }), by })],
  ] as [string, (store: Store, link: Link, by: Authorization) => Promise<unknown>][])(
    'that has just revoked a token fails an %s that waits for it',
    async (_title, change) => {
      const url = await newDatabase();
      const [store] = (await openStores(1, url)) as [Store];
      const account = newAccount();
      await store.addAccount(account);
      const link = await addLink(store, linkOf(account.id, 'kept'));
      const other = await connectTo(url);
      await other.query('BEGIN');
      await other.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [account.id]);
      const by = { kind: 'token', tokenHash: account.tokenHash, access: 'all' } as const;
      const changed = expect(change(store, link, by)).rejects.toMatchObject({
        code: 'invalid_token',
      });
      await expect.poll(() => waitingFor(other)).toBe(1);
      await other.query('DELETE FROM tokens WHERE token_hash = $1', [account.tokenHash]);
      await other.query('COMMIT');
      await changed;
      expect(await store.findLink('late')).toBeUndefined();
      expect(await store.findLink('kept')).toEqual(link);
    },
  );

  test('is in effect within a second: edits', async () => {
    const [one, other] = await twoStores();
    const link = await addLink(one, newLink('one'));
    for (let edit = 1; edit <= 5; edit++) {
      const url = `https://example.com/${edit}`;
      await lookUpUntilKnown(other, 'one');
      await one.editLink(editOf(link, targetOf(url)));
      const start = performance.now();
      let lastFormer = 0;
      for (;;) {
        const begun = performance.now() - start;
        // As a visit does.
        const visited = other.knownLink('one') ?? (await other.findLink('one'));
        if (visited?.targetUrl === url) break;
        lastFormer = begun;
        await nextTurn();
      }
      expect(lastFormer).toBeLessThan(1000);
      expect((await lookUpUntilKnown(other, 'one')).targetUrl).toBe(url);
    }
  });

  test('is in effect soon: new, renamed, deleted, restored and purged links', async () => {
    const [one, other] = await twoStores();
    const aliasOf = async (alias: string) => (await other.findLink(alias))?.alias;
    expect(await aliasOf('one')).toBeUndefined();
    const link = await addLink(one, newLink('one'));
    await expect.poll(() => aliasOf('one')).toBe('one');

    expect(await aliasOf('two')).toBeUndefined();
    await one.editLink(editOf(link, { alias: 'two' }));
    await expect.poll(() => aliasOf('one')).toBe('two');
    await expect.poll(() => aliasOf('two')).toBe('two');

    const deletedAt = async () => (await other.findLink('two'))?.deletedAt;
    await one.editLink(editOf(link, { deletedAt: NOW }));
    await expect.poll(deletedAt).toBe(NOW);
    await one.editLink(editOf(link, { deletedAt: null }));
    await expect.poll(deletedAt).toBe(null);

    await one.editLink(editOf(link, { previousAliases: [] }));
    await expect.poll(() => aliasOf('one')).toBeUndefined();
    await one.purgeLink(ownLinkOf(link));
    await expect.poll(() => aliasOf('two')).toBeUndefined();
  });
});

/**
 * Locks an account in a transaction, as a server does that then hangs.
 *
 * @returns lets it go on
 */
async function hangWithLock(url: string, accountId: string): Promise<() => Promise<unknown>> {
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const transaction = withDatabase(url, (database) =>
    database.transaction(async (query) => {
      await query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [accountId]);
      locked.resolve();
      await released.promise;
    }),
  );
  transaction.catch(locked.reject);
  await locked.promise;
  return () => {
    released.resolve();
    return transaction;
  };
}

function linkOf(accountId: string, alias: string, changes: Partial<NewLink> = {}): NewLink {
  return newLink(alias, { ...changes, link: { accountId } });
}

function listOf(accountId: string) {
  return { accountId, limit: 100, after: null, search: null, tag: null };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** How many connections wait for a lock. */
async function waitingFor(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    `SELECT count(*)::integer AS waiting FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0].waiting;
}
