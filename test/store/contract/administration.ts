import { describe, expect, test } from 'vitest';
import type { Account } from '../../../server/store/account.ts';
import { InvalidPositionError } from '../../../server/store/administration.ts';
import type { Block } from '../../../server/store/blocks.ts';
import type { Link } from '../../../server/store/link.ts';
import type { Store } from '../../../server/store/store.ts';
import {
  ADMINISTRATOR,
  addLink,
  editOf,
  inTurn,
  NOW,
  newAccount,
  newLink,
  type OpenSubject,
  ownLinkOf,
  targetOf,
} from '../contract.ts';
import { HOUR, visits } from '../support/visits-of-hour.ts';

const DAY_MS = 86_400_000;
const SUSPENDED = { reason: 'Ä "left" the company', since: NOW + 1 };
const ALL = { limit: 100, after: null, search: null };
const ALL_LINKS = { ...ALL, accountId: null };

async function addNamed(store: Store, name: string) {
  const account = { ...newAccount(), name };
  await store.addAccount(account);
  return account;
}

let links = 0;

/** Each link is newer than the one before. */
function addLinkOf(store: Store, { id }: Pick<Account, 'id'>, alias: string): Promise<Link> {
  return addLink(store, newLink(alias, { link: { accountId: id, created: NOW + links++ } }));
}

/** What visitors see of an account's links, by a page of the account's own list. */
async function listed(store: Store, accountId: string): Promise<string[]> {
  const page = await store.listLinks({ ...ALL, accountId, tag: null });
  return page.links.map(({ alias }) => alias).sort();
}

export function describeAdministration(name: string, open: OpenSubject): void {
  test(`${name}: links, accounts and visits of all accounts are counted by day`, async () => {
    const { store, reopen } = await open();
    const day = HOUR - (HOUR % DAY_MS);
    const account = async (created: number) => {
      const added = { ...newAccount(), created };
      await store.addAccount(added);
      return added.id;
    };
    const old = await account(day - 30 * DAY_MS);
    const ann = await account(day - DAY_MS);
    const gone = await account(day);
    await account(day + 1);
    const add = (accountId: string, alias: string, created: number) =>
      addLink(store, newLink(alias, { link: { accountId, created } }));
    const first = await add(old, 'first', day - 30 * DAY_MS);
    const second = await add(ann, 'second', day - 1);
    await add(ann, 'third', day);
    await add(gone, 'fourth', day + 1);
    await store.addVisits([
      visits(first.id, { people: 2, hour: day - 2 * DAY_MS }),
      visits(first.id, { people: 3, hour: day }),
      visits(second.id, { people: 4, hour: day - 3_600_000 }),
      visits(second.id, { people: 5, hour: day }),
      visits(second.id, { people: 0, bots: 6, hour: day }),
    ]);
    // Its visits remain.
    await store.purgeLink(ownLinkOf(second));
    await store.deleteAccount({ accountId: gone, by: ADMINISTRATOR });
    for await (const subject of inTurn(store, reopen)) {
      const counts = await subject.administration.countPerDay(day - DAY_MS);
      const sorted = (perDay: Map<number, number>) => [...perDay].sort(([a], [b]) => a - b);
      expect(sorted(counts.links)).toEqual([[day, 1]]);
      expect(sorted(counts.accounts)).toEqual([
        [day - DAY_MS, 1],
        [day, 1],
      ]);
      expect(sorted(counts.visits)).toEqual([
        [day - DAY_MS, 4],
        [day, 8],
      ]);
    }
  });

  describe(`${name}: accounts of the administrator`, () => {
    test('exist without a link, with a token', async () => {
      const { store, reopen } = await open();
      const { tokenHash, ...account } = await addNamed(store, 'Ann');
      for await (const subject of inTurn(store, reopen)) {
        expect((await subject.findToken(tokenHash))?.account).toEqual(account);
        expect(await subject.administration.findAccount(account.id)).toEqual(account);
        expect(await subject.administration.findAccount('nobody')).toBeUndefined();
      }
    });

    test('can be renamed, suspended and given a quota and a domain; null is the default again', async () => {
      const { store, reopen } = await open();
      const { tokenHash, ...account } = await addNamed(store, 'Ann');
      const unlimited = Number.POSITIVE_INFINITY;
      const edit = {
        ...{ name: 'Anna', monthlyQuota: unlimited, suspended: SUSPENDED },
        domain: 'go.example',
      };
      const edited = await store.administration.editAccount(account.id, edit);
      expect(edited).toEqual({ ...account, ...edit });
      for await (const subject of inTurn(store, reopen)) {
        expect((await subject.findToken(tokenHash))?.account).toEqual(edited);
        expect(await subject.listTokens(account.id)).toHaveLength(1);
      }
      const reopened = await reopen();
      await reopened.administration.editAccount(account.id, { monthlyQuota: 5 });
      await reopened.administration.editAccount(account.id, { suspended: null, domain: null });
      const later = { ...account, name: 'Anna', monthlyQuota: 5 };
      for await (const subject of inTurn(reopened, reopen)) {
        expect(await subject.administration.findAccount(account.id)).toEqual(later);
      }
      const last = await reopen();
      await last.administration.editAccount(account.id, { monthlyQuota: null });
      expect(await (await reopen()).administration.findAccount(account.id)).toEqual({
        ...account,
        name: 'Anna',
      });
    });

    test('keep what was changed when a token is revoked', async () => {
      const { store, reopen } = await open();
      const { tokenHash, ...account } = await addNamed(store, 'Ann');
      const edit = { monthlyQuota: Number.POSITIVE_INFINITY, suspended: SUSPENDED };
      await store.administration.editAccount(account.id, edit);
      await store.revokeToken({
        id: account.id,
        accountId: account.id,
        by: ADMINISTRATOR,
        evenIfLast: true,
      });
      for await (const subject of inTurn(store, reopen)) {
        const found = await subject.administration.findAccount(account.id);
        expect(found).toEqual({ ...account, ...edit });
        expect(await subject.findToken(tokenHash)).toBeUndefined();
      }
    });

    test('cannot be changed once they are deleted, or if they never existed', async () => {
      const { store } = await open();
      const account = await addNamed(store, 'Ann');
      await store.deleteAccount({ accountId: account.id, by: ADMINISTRATOR });
      const { administration } = store;
      expect(await administration.editAccount(account.id, { name: 'B' })).toBeUndefined();
      expect(await administration.editAccount('nobody', { name: 'B' })).toBeUndefined();
      expect(await administration.findAccount(account.id)).toBeUndefined();
    });

    test('are listed newest first, page by page, and found by parts of name and id', async () => {
      const { store, reopen } = await open();
      const names = ['Ann', 'Bob "the" Ä', 'Cleo', 'annette'];
      const accounts: Awaited<ReturnType<typeof addNamed>>[] = [];
      for (const each of names) accounts.push(await addNamed(store, each));
      await store.addLink(newLink('one', { newAccount: newAccount() }));
      await store.administration.editAccount(accounts[2]?.id ?? '', { name: 'Chloe' });
      await store.deleteAccount({ accountId: accounts[0]?.id ?? '', by: ADMINISTRATOR });
      for await (const subject of inTurn(store, reopen)) {
        const { administration } = subject;
        const search = async (text: string) => {
          const page = await administration.listAccounts({ ...ALL, search: text });
          return page.accounts.map((account) => account.name);
        };
        expect(await search('ANN')).toEqual(['annette']);
        expect(await search('"THE" ä')).toEqual(['Bob "the" Ä']);
        expect(await search('Cleo')).toEqual([]);
        expect(await search(accounts[3]?.id.toUpperCase() ?? '')).toEqual(['annette']);
        // A hash of a token is no part of a name.
        expect(await search(accounts[3]?.tokenHash ?? '')).toEqual([]);
        const read: string[] = [];
        let after: string | null = null;
        do {
          const query: Parameters<typeof administration.listAccounts>[0] = {
            limit: 2,
            after,
            search: null,
          };
          const page = await administration.listAccounts(query);
          expect(page.accounts.length).toBeLessThanOrEqual(2);
          read.push(...page.accounts.map((account) => account.name));
          after = page.next;
        } while (after !== null);
        expect(read).toEqual(['', 'annette', 'Chloe', 'Bob "the" Ä']);
        await expect(administration.listAccounts({ ...ALL, after: 'x' })).rejects.toThrow(
          InvalidPositionError,
        );
      }
    });
  });

  describe(`${name}: moved links`, () => {
    test('may share the row of an import with another link of the account', async () => {
      const { store, reopen } = await open();
      const [from, to] = [await addNamed(store, 'from'), await addNamed(store, 'to')];
      const importOf = ({ id: accountId }: { id: string }, alias: string) =>
        addLink(store, newLink(alias, { link: { accountId, importKey: 'row' } }));
      const [moved, own] = [await importOf(from, 'one'), await importOf(to, 'two')];
      await store.administration.moveLink(ownLinkOf(moved), to.id);
      await store.purgeLink(ownLinkOf(own));
      for await (const subject of inTurn(store, reopen)) {
        expect(await subject.findImportKeys(to.id, ['row'])).toEqual(new Set(['row']));
      }
    });

    test('belong to the other account with aliases and hits, and count there', async () => {
      const { store, time, reopen } = await open();
      const [from, to] = [await addNamed(store, 'from'), await addNamed(store, 'to')];
      const link = await addLinkOf(store, from, 'one');
      await addLinkOf(store, from, 'two');
      await addLinkOf(store, to, 'three');
      await store.editLink(editOf(link, { alias: 'renamed' }));
      store.countHit(link.id);
      expect(await listed(store, to.id)).toEqual(['three']);
      await store.findLink('one');
      expect(await store.administration.moveLink(ownLinkOf(link), to.id)).toBe('moved');
      expect(store.knownLink('one')?.accountId).not.toBe(from.id);
      store.countHit(link.id);
      for await (const subject of inTurn(store, reopen)) {
        const moved = { accountId: to.id, alias: 'renamed', hits: 2, version: 2 };
        await time.advance(1000);
        expect(await subject.findLink('one')).toMatchObject(moved);
        expect(await listed(subject, from.id)).toEqual(['two']);
        expect(await listed(subject, to.id)).toEqual(['renamed', 'three']);
        expect(await subject.countLinks(from.id, NOW)).toMatchObject({ month: 2, total: 1 });
        expect(await subject.countLinks(to.id, NOW)).toMatchObject({ month: 2, total: 2 });
        expect((await subject.editLink(editOf(link, { title: 'mine' }))).kind).toBe('not_found');
      }
    });

    test('come back, and go with their new account', async () => {
      const { store, reopen } = await open();
      const [from, to] = [await addNamed(store, 'from'), await addNamed(store, 'to')];
      const link = await addLinkOf(store, from, 'one');
      const there = { linkId: link.id, accountId: to.id };
      await store.administration.moveLink(ownLinkOf(link), to.id);
      await store.administration.moveLink(there, from.id);
      expect(await listed(store, from.id)).toEqual(['one']);
      expect(await listed(store, to.id)).toEqual([]);
      await store.administration.moveLink(ownLinkOf(link), to.id);
      await store.deleteAccount({ accountId: from.id, by: ADMINISTRATOR });
      for await (const subject of inTurn(store, reopen)) {
        expect(await listed(subject, to.id)).toEqual(['one']);
        expect(await subject.findLink('one')).toMatchObject({ accountId: to.id });
      }
      const reopened = await reopen();
      await reopened.deleteAccount({ accountId: to.id, by: ADMINISTRATOR });
      for await (const subject of inTurn(reopened, reopen)) {
        expect(await subject.findLink('one')).toBeUndefined();
        expect(await subject.isAliasFree('one')).toBe(false);
      }
    });

    test('must exist, belong to the account, and get an account that exists', async () => {
      const { store } = await open();
      const [from, to] = [await addNamed(store, 'from'), await addNamed(store, 'to')];
      const link = await addLinkOf(store, from, 'one');
      const move = store.administration.moveLink.bind(store.administration);
      expect(await move({ linkId: 'x', accountId: from.id }, to.id)).toBe('not_found');
      expect(await move({ linkId: link.id, accountId: to.id }, from.id)).toBe('not_found');
      expect(await move(ownLinkOf(link), 'nobody')).toBe('no_account');
      await store.deleteAccount({ accountId: to.id, by: ADMINISTRATOR });
      expect(await move(ownLinkOf(link), to.id)).toBe('no_account');
    });
  });

  describe(`${name}: links of all accounts`, () => {
    test('are listed newest first, page by page, also while links come and go', async () => {
      const { store } = await open();
      const ids = Array.from({ length: 6 }, (_, index) => ({ id: `account-${index % 3}` }));
      const links: Link[] = [];
      for (const [index, account] of ids.entries()) {
        links.push(await addLinkOf(store, account, `Link-${index}`));
      }
      const first = await store.listLinks({ ...ALL_LINKS, limit: 2 });
      expect(first.links.map(({ alias }) => alias)).toEqual(['Link-5', 'Link-4']);
      await addLinkOf(store, { id: 'account-0' }, 'later');
      await store.purgeLink(ownLinkOf(links[4] as Link));
      const second = { ...ALL_LINKS, limit: 2, after: first.next };
      const page = await store.listLinks(second);
      expect(page.links.map(({ alias }) => alias)).toEqual(['Link-3', 'Link-2']);
    });

    test('are gone with their account', async () => {
      const { store, reopen } = await open();
      const [ann, bob] = [await addNamed(store, 'Ann'), await addNamed(store, 'Bob')];
      for (const alias of ['one', 'two']) await addLinkOf(store, ann, alias);
      await addLinkOf(store, bob, 'three');
      await store.deleteAccount({ accountId: ann.id, by: ADMINISTRATOR });
      for await (const subject of inTurn(store, reopen)) {
        const { links, total } = await subject.listLinks({ ...ALL_LINKS, countUpTo: 9 });
        expect(links.map(({ alias }) => alias)).toEqual(['three']);
        expect(total).toEqual({ count: 1, isExact: true });
      }
    });

    test('are found by the host of their target, with its subdomains, however it is written', async () => {
      const { store, reopen } = await open();
      const targets = {
        exact: 'https://Evil.Example:8080/path',
        sub: 'http://a.b.evil.example',
        inPath: 'https://example.com/evil.example',
        longer: 'https://not-evil.example/',
        idn: 'https://evil.b\u00fccher.example/',
      };
      for (const [index, [alias, url]] of Object.entries(targets).entries()) {
        const link = { ...targetOf(url), created: NOW + index };
        await addLink(store, newLink(alias, { link }));
      }
      const find = async (subject: Store, host: string) => {
        const matches = ({ alias }: Link) => alias !== 'never';
        const query = { ...ALL_LINKS, host, matches };
        const page = await subject.listLinks(query);
        return page.links.map(({ alias }) => alias);
      };
      for await (const subject of inTurn(store, reopen)) {
        expect(await find(subject, 'evil.example')).toEqual(['sub', 'exact']);
        expect(await find(subject, 'b.evil.example')).toEqual(['sub']);
        expect(await find(subject, 'xn--bcher-kva.example')).toEqual(['idn']);
        expect(await find(subject, 'other.example')).toEqual([]);
      }
    });
  });

  describe(`${name}: blocks`, () => {
    const blockOf = (kind: Block['kind'], value: string): Block => ({
      kind,
      value,
      reason: 'Phishing "Ä"',
      since: NOW,
    });
    const all = ({ blocks }: Store) => [
      ...blocks.link.values(),
      ...blocks.host.values(),
      ...blocks.account.values(),
    ];

    test('are in effect once they are on disk, and until they are removed', async () => {
      const { store, reopen } = await open();
      const account = await addNamed(store, 'Ann');
      const link = await addLinkOf(store, account, 'one');
      const blocks = [
        blockOf('link', link.id),
        blockOf('host', 'evil.example'),
        blockOf('account', account.id),
      ];
      expect(all(store)).toEqual([]);
      for (const [index, block] of blocks.entries()) {
        expect(await store.administration.addBlock(block)).toBe(true);
        expect(all(store)).toHaveLength(index + 1);
      }
      for await (const subject of inTurn(store, reopen, reopen)) {
        expect(all(subject)).toEqual(blocks);
        expect(subject.blocks.link.get(link.id)).toEqual(blocks[0]);
      }
      const reopened = await reopen();
      const host = { kind: 'host', value: 'evil.example' } as const;
      expect(await reopened.administration.removeBlock(host)).toBe(true);
      expect(await reopened.administration.removeBlock(host)).toBe(false);
      for await (const subject of inTurn(reopened, reopen)) {
        expect(all(subject)).toEqual([blocks[0], blocks[2]]);
      }
    });

    test('keep their link from being erased, and from changing its aliases', async () => {
      const { store, reopen } = await open();
      const added = await addLinkOf(store, await addNamed(store, 'Ann'), 'zero');
      await store.editLink(editOf(added, { alias: 'one' }));
      const link = (await store.findLink('one')) as Link;
      await store.administration.addBlock(blockOf('link', link.id));
      expect(await store.purgeLink(ownLinkOf(link))).toBe('link_blocked');
      for (const changes of [{ alias: 'two' }, { alias: 'zero' }, { previousAliases: [] }]) {
        expect(await store.editLink(editOf(link, changes))).toEqual({ kind: 'link_blocked' });
      }
      for await (const subject of inTurn(store, reopen)) {
        expect(await subject.findLink('one')).toEqual(link);
        expect(all(subject)).toEqual([blockOf('link', link.id)]);
      }
      const reopened = await reopen();
      await reopened.administration.removeBlock({ kind: 'link', value: link.id });
      expect((await reopened.editLink(editOf(link, { alias: 'two' }))).kind).toBe('edited');
      expect(await reopened.purgeLink(ownLinkOf(link))).toBe('purged');
      expect(await reopened.administration.addBlock(blockOf('link', link.id))).toBe(false);
    });

    test('that come together with the erasure of their link: one of both happens, never both', async () => {
      const { store, reopen } = await open();
      const account = await addNamed(store, 'Ann');
      const links = [];
      for (let number = 0; number < 10; number++) {
        links.push(await addLinkOf(store, account, `link-${number}`));
      }
      const outcomes = await Promise.all(
        links.map(async (link, index) => {
          const block = () => store.administration.addBlock(blockOf('link', link.id));
          const purge = () => store.purgeLink(ownLinkOf(link));
          const calls = index % 2 === 0 ? [block(), purge()] : [purge(), block()];
          const both = await Promise.all(calls);
          return { link, isBlocked: both.includes(true), both };
        }),
      );
      for await (const subject of inTurn(store, reopen)) {
        for (const { link, isBlocked, both } of outcomes) {
          expect(both.toSorted()).toEqual(isBlocked ? ['link_blocked', true] : [false, 'purged']);
          expect(subject.blocks.link.has(link.id)).toBe(isBlocked);
          expect((await subject.findLink(link.alias))?.id).toBe(isBlocked ? link.id : undefined);
        }
      }
    });

    test('need a link or an account, and go with the account', async () => {
      const { store, reopen } = await open();
      const account = await addNamed(store, 'Ann');
      const link = await addLinkOf(store, account, 'one');
      const { administration } = store;
      expect(await administration.addBlock(blockOf('link', 'unknown'))).toBe(false);
      expect(await administration.addBlock(blockOf('account', 'unknown'))).toBe(false);
      const blocks = [blockOf('link', link.id), blockOf('account', account.id)];
      // The one by which it was found, and which the account could use again.
      expect(await administration.addBlock(blockOf('link', link.id), 'zero')).toBe(false);
      for (const block of blocks) expect(await administration.addBlock(block, 'ONE')).toBe(true);
      for await (const subject of inTurn(store, reopen)) expect(all(subject)).toEqual(blocks);
      const reopened = await reopen();
      await reopened.deleteAccount({ accountId: account.id, by: ADMINISTRATOR });
      for await (const subject of inTurn(reopened, reopen)) expect(all(subject)).toEqual([]);
    });
  });

  describe(`${name}: the audit log`, () => {
    test('has every entry, newest first, page by page', async () => {
      const { store, reopen } = await open();
      const entries = Array.from({ length: 5 }, (_, index) => ({
        time: NOW + index,
        action: 'block.add',
        target: `host ${index}.example`,
        details: { reason: 'Ä "quoted"\u2028' },
        ...(index === 3 && { failed: 'store_unavailable' }),
      }));
      await Promise.all(entries.map((entry) => store.administration.addAuditEntry(entry)));
      for await (const subject of inTurn(store, reopen)) {
        const { administration } = subject;
        const first = await administration.listAuditEntries({ limit: 3, after: null });
        expect(first).toMatchObject({ entries: entries.slice(2).reverse(), damagedLines: 0 });
        const rest = { limit: 3, after: first.next };
        const last = { entries: entries.slice(0, 2).reverse(), next: null, damagedLines: 0 };
        expect(await administration.listAuditEntries(rest)).toEqual(last);
        const invalid = administration.listAuditEntries({ limit: 1, after: 'x' });
        await expect(invalid).rejects.toThrow(InvalidPositionError);
      }
    });
  });
}
