import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Token } from '../../server/store/account.ts';
import { readGenerations, snapshotPath } from '../../server/store/json-file/files/generations.ts';
import type { Store } from '../../server/store/store.ts';
import { IDEMPOTENCY_WINDOW_MS } from '../../shared/limits.ts';
import { newFolder } from '../support/new-folder.ts';
import {
  ADMINISTRATOR,
  addLink,
  editOf,
  NOW,
  newKey,
  newLink,
  ownLinkOf,
  talliesOf,
  tally,
} from './contract.ts';
import { compactFolder } from './support/compact-folder.ts';
import { openFolder } from './support/folders.ts';

const DAY_MS = 86_400_000;
const ALIASES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'x'];
const ACCOUNTS = ['account-1', 'account-2'];
const PEOPLE = ['ada', 'grace'];

/** All that can be seen of the aliases and accounts. */
async function look(store: Store) {
  const { administration, blocks } = store;
  const links = await Promise.all(ALIASES.map((alias) => store.findLink(alias)));
  return {
    links,
    statistics: await Promise.all(
      links.map((link) => link && store.readStatistics({ linkId: link.id })),
    ),
    sums: await Promise.all(ACCOUNTS.map((accountId) => store.readStatistics({ accountId }))),
    accounts: await Promise.all(ACCOUNTS.map((id) => administration.findAccount(id))),
    blocks: (['link', 'host', 'account'] as const).map((kind) => [...blocks[kind].values()]),
    isFree: ALIASES.map((alias) => store.isAliasFree(alias)),
    tokens: await Promise.all(ACCOUNTS.map((id) => store.listTokens(id))),
    counts: ACCOUNTS.map((id) => store.countLinks(id, NOW)),
    people: await Promise.all(PEOPLE.map((each) => store.findAccountByIdentity(each))),
  };
}

/** Runs steps, each on what is loaded from a snapshot of the one before. */
async function runSteps(folder: string, steps: ((store: Store) => Promise<unknown>)[]) {
  for (const step of steps) {
    const store = await openFolder(folder);
    await step(store);
    const expected = await look(store);
    await store.close();
    const reopened = await openFolder(folder);
    expect(await look(reopened)).toEqual(expected);
    await reopened.close();
    await compactFolder(folder, NOW);
    const compacted = await openFolder(folder);
    expect(await look(compacted)).toEqual(expected);
    await compacted.close();
  }
}

const account = { id: 'account-1', tokenHash: 'first', name: 'Ä "name"', created: NOW };
const token: Token = {
  id: 'second',
  accountId: 'account-1',
  tokenHash: 'second hash',
  name: 'Phone',
  scope: 'read',
  created: NOW,
  lastUsedOn: null,
};

describe('a snapshot', () => {
  test('has aliases, reservations and counts as they were after each of several compactions', async () => {
    const folder = await newFolder();
    const links = new Map<string, Awaited<ReturnType<typeof addLink>>>();
    const add = async (store: Store, alias: string, accountId = 'account-1') => {
      links.set(alias, await addLink(store, newLink(alias, { link: { accountId } })));
    };
    const of = (alias: string) => {
      const link = links.get(alias);
      if (!link) throw new Error(alias);
      return link;
    };
    await runSteps(folder, [
      async (store) => {
        for (const alias of ['a', 'b', 'c']) await add(store, alias);
        await add(store, 'x', 'account-2');
        await store.editLink(editOf(of('a'), { alias: 'd' }));
        await store.editLink(editOf(of('a'), { alias: 'e' }));
        await store.purgeLink(ownLinkOf(of('b')));
      },
      // Reserved before the snapshot and since.
      async (store) => {
        await store.editLink(editOf(of('a'), { previousAliases: ['d'] }));
        await add(store, 'b');
        store.countHit(of('c').id);
        await store.takeVisit(of('b').id);
        await store.editLink(editOf(of('c'), { deletedAt: NOW }));
      },
      // Taken again, and purged again.
      async (store) => {
        await store.purgeLink(ownLinkOf(of('b')));
        await add(store, 'a');
        await store.editLink(editOf(of('c'), { deletedAt: null, alias: 'f' }));
        await add(store, 'g');
        await store.purgeLink(ownLinkOf(of('g')));
      },
      async (store) => {
        await add(store, 'g');
        await store.purgeLink(ownLinkOf(of('g')));
        await store.deleteAccount({ accountId: 'account-1', by: ADMINISTRATOR });
      },
      async (store) => {
        await store.editLink(editOf(of('x'), { alias: 'h' }));
        await store.deleteAccount({ accountId: 'account-2', by: ADMINISTRATOR });
      },
      async () => undefined,
    ]);
    const { snapshot = 0 } = readGenerations(folder);
    const text = await readFile(snapshotPath(folder, snapshot), 'utf8');
    expect(text).not.toMatch(/"link"|account-|"use"/);
    const reserved = [...text.matchAll(/\["alias","(\w+)",\{"accountId":""\}\]/g)];
    expect(reserved.map(([, alias]) => alias).sort()).toEqual(ALIASES);
  });

  test('has tokens and the days of their last use', async () => {
    const folder = await newFolder();
    await runSteps(folder, [
      async (store) => {
        await store.addLink(newLink('a', { newAccount: account }));
        await store.addToken({ token, by: ADMINISTRATOR });
        await store.addToken({
          token: { ...token, id: 'third', tokenHash: 'third hash', scope: 'all' },
          by: ADMINISTRATOR,
        });
        store.markTokenUsed({ id: 'account-1', accountId: 'account-1' }, NOW);
        store.markTokenUsed(token, NOW);
      },
      async (store) => {
        store.markTokenUsed(token, NOW + DAY_MS);
        await store.revokeToken({
          id: 'account-1',
          accountId: 'account-1',
          by: ADMINISTRATOR,
          evenIfLast: false,
        });
      },
      async (store) => {
        await store.revokeToken({
          id: 'third',
          accountId: 'account-1',
          by: ADMINISTRATOR,
          evenIfLast: true,
        });
      },
      async (store) => {
        expect((await store.findToken('second hash'))?.account).toEqual({
          ...account,
          tokenHash: '',
        });
      },
    ]);
    const { snapshot = 0 } = readGenerations(folder);
    const text = await readFile(snapshotPath(folder, snapshot), 'utf8');
    expect(text).toContain('second hash');
    expect(text).not.toMatch(/first|third/);
  });

  test('has the accounts of people who sign in', async () => {
    const folder = await newFolder();
    await runSteps(folder, [
      async (store) => {
        await store.addAccount({ ...account, tokenHash: '', identityHash: 'ada' });
        await store.addAccount({ ...account, id: 'account-2', identityHash: 'grace' });
        await store.addToken({ token, by: ADMINISTRATOR });
      },
      async (store) => {
        await store.addLink(newLink('a'));
        store.markTokenUsed(token, NOW);
        await store.revokeToken({
          id: 'account-2',
          accountId: 'account-2',
          by: ADMINISTRATOR,
          evenIfLast: true,
        });
      },
      async (store) => {
        expect((await store.findToken(token.tokenHash))?.account.identityHash).toBe('ada');
        expect((await store.findAccountByIdentity('grace'))?.tokenHash).toBe('');
        await store.deleteAccount({ accountId: 'account-2', by: ADMINISTRATOR });
      },
    ]);
    const { snapshot = 0 } = readGenerations(folder);
    const text = await readFile(snapshotPath(folder, snapshot), 'utf8');
    expect(text).toContain('"identityHash":"ada"');
    expect(text).not.toMatch(/grace|account-2/);
  });

  test('has spent idempotency keys until they expire, and counts of purged links for a month', async () => {
    const folder = await newFolder();
    const idempotency = newKey();
    const replay = newLink('a', { idempotency });
    await runSteps(folder, [
      async (store) => store.purgeLink(ownLinkOf(await addLink(store, replay))),
      async (store) => expect(await store.addLink(replay)).toEqual({ kind: 'mismatch' }),
      async (store) => expect(await store.addLink(replay)).toEqual({ kind: 'mismatch' }),
    ]);
    const { snapshot = 0 } = readGenerations(folder);
    const before = await readFile(snapshotPath(folder, snapshot), 'utf8');
    expect(before).toContain('["key",');
    expect(before).toContain('["use","account-1 ');
    expect(before).toContain('"bodyHash":""');
    expect(await compactFolder(folder, NOW + IDEMPOTENCY_WINDOW_MS)).not.toContain('["key",');
    const later = await compactFolder(folder, NOW + 70 * DAY_MS);
    expect(later).not.toContain('["use",');
    expect(later).toContain('["alias","a",{"accountId":"account-1"}]');
  });

  test('has what administrators did, and nothing of it that was undone or erased', async () => {
    const folder = await newFolder();
    const other = { ...account, id: 'account-2', tokenHash: 'other', name: 'Other' };
    const suspended = { reason: 'left-the-company', since: NOW };
    const blockOf = (kind: 'link' | 'host' | 'account', value: string) => {
      return { kind, value, reason: `secret-reason ${kind}`, since: NOW };
    };
    const idOf = async (store: Store, alias: string) => (await store.findLink(alias))?.id ?? '';
    await runSteps(folder, [
      async (store) => {
        await store.addLink(newLink('a', { newAccount: account }));
        await store.addAccount(other);
        await store.administration.editAccount('account-1', { name: 'B', monthlyQuota: 3 });
        await store.administration.addBlock(blockOf('link', await idOf(store, 'a')));
      },
      // An edit that a snapshot has, and one since; a block that a snapshot has, and one since.
      async (store) => {
        await store.administration.editAccount('account-1', { suspended, monthlyQuota: null });
        await store.administration.editAccount('account-2', {
          monthlyQuota: Number.POSITIVE_INFINITY,
        });
        await store.administration.addBlock(blockOf('host', 'evil.example'));
        await store.administration.addBlock(blockOf('account', 'account-1'));
      },
      async (store) => {
        await store.revokeToken({
          id: 'account-2',
          accountId: 'account-2',
          by: ADMINISTRATOR,
          evenIfLast: true,
        });
        await store.administration.editAccount('account-2', { name: 'C' });
        await store.administration.editAccount('account-1', { suspended: null });
        await store.administration.removeBlock({ kind: 'host', value: 'evil.example' });
      },
      async (store) => store.deleteAccount({ accountId: 'account-1', by: ADMINISTRATOR }),
    ]);
    const { snapshot = 0 } = readGenerations(folder);
    const text = await readFile(snapshotPath(folder, snapshot), 'utf8');
    expect(text).toContain('"name":"C"');
    expect(text).not.toMatch(/secret-reason|left-the-company|"other"|account-1/);
  });

  test('has moved links with their hits and visits, whichever account is deleted then', async () => {
    const folder = await newFolder();
    const HOUR_MS = 3_600_000;
    const visit = async (store: Store, alias: string) => {
      const link = await store.findLink(alias);
      if (!link) throw new Error(alias);
      store.countHit(link.id);
      const counts = { people: 1, uniquePeople: 1, previews: 0, bots: 0 };
      const tallies = talliesOf({ browsers: tally({ Firefox: 1 }) });
      const hour = NOW - HOUR_MS;
      await store.addVisits([{ linkId: link.id, hour, ...counts, tallies }]);
    };
    const move = async (store: Store, alias: string, to: string) => {
      const link = await store.findLink(alias);
      if (!link) throw new Error(alias);
      expect(await store.administration.moveLink(ownLinkOf(link), to)).toBe('moved');
    };
    await runSteps(folder, [
      async (store) => {
        await store.addLink(newLink('a', { newAccount: account, idempotency: newKey() }));
        await store.addLink(newLink('b'));
        await store.addLink(newLink('c'));
        const other = { ...account, id: 'account-2', tokenHash: 'other' };
        await store.addAccount(other);
        for (const alias of ['a', 'b', 'c']) await visit(store, alias);
        await move(store, 'a', 'account-2');
        await visit(store, 'a');
      },
      // Visits in a snapshot, and since.
      async (store) => {
        await visit(store, 'b');
        await move(store, 'b', 'account-2');
        await visit(store, 'b');
        await visit(store, 'a');
      },
      async (store) => {
        await move(store, 'b', 'account-1');
        await move(store, 'c', 'account-2');
        await move(store, 'c', 'account-1');
        await move(store, 'c', 'account-2');
      },
      // Erases b with its visits, and neither a nor c, whose lines once named this account.
      async (store) => store.deleteAccount({ accountId: 'account-1', by: ADMINISTRATOR }),
      async (store) => {
        expect((await store.findLink('a'))?.hits).toBe(3);
        expect((await store.findLink('c'))?.hits).toBe(1);
        expect(await store.findLink('b')).toBeUndefined();
        expect(store.countLinks('account-2', NOW)).toMatchObject({ month: 2, total: 2 });
      },
      async (store) => store.deleteAccount({ accountId: 'account-2', by: ADMINISTRATOR }),
    ]);
    const { snapshot = 0 } = readGenerations(folder);
    const text = await readFile(snapshotPath(folder, snapshot), 'utf8');
    expect(text).not.toMatch(/"link"|account-|history/);
  });
});
