import { describe, expect, test } from 'vitest';
import type { Authorization } from '../../../server/store/account.ts';
import type { Store } from '../../../server/store/store.ts';
import type { StoredDomain } from '../../../server/store/stored-domains.ts';
import { ADMINISTRATOR, addLink, inTurn, NOW, newLink, type OpenSubject } from '../contract.ts';

export const domainOf = (host: string, changes: Partial<StoredDomain> = {}): StoredDomain => ({
  ...{ host, scheme: null, brand: null, rootUrl: null, notFoundUrl: null, goneUrl: null },
  ...{ accounts: 'all', created: NOW, removed: null },
  ...changes,
});

export async function addDomains(store: Store, ...hosts: string[]): Promise<void> {
  for (const host of hosts) await store.administration.addDomain(domainOf(host));
}

export function describeDomains(name: string, open: OpenSubject): void {
  describe(`${name}: domains`, () => {
    test('are there once they are on disk, with what is set for them', async () => {
      const { store, reopen, maintain } = await open();
      const one = domainOf('go.example:8080', {
        ...{ scheme: 'http', brand: { name: 'Ä "Go"', logo: null, color: '#0a7' } },
        ...{ rootUrl: 'https://example.com/', accounts: ['account-1'] },
      });
      const other = domainOf('xn--bcher-kva.example');
      expect([...store.domains]).toEqual([]);
      for (const domain of [one, other]) {
        expect(await store.administration.addDomain(domain)).toBe(true);
        expect(store.domains.get(domain.host)).toEqual(domain);
      }
      for await (const subject of inTurn(store, reopen, maintain, reopen)) {
        expect(subject.domains.get(one.host)).toEqual(one);
        expect(subject.domains.get(other.host)).toEqual(other);
        expect(subject.domains.size).toBe(2);
      }
    });

    test('exist once, also when they are added at the same time', async () => {
      const { store } = await open();
      const hosts = ['a.example', 'b.example', 'a.example', 'b.example', 'a.example'];
      const added = await Promise.all(
        hosts.map((host) => store.administration.addDomain(domainOf(host))),
      );
      expect(added.filter((isAdded) => isAdded)).toHaveLength(2);
      expect([...store.domains.keys()].sort()).toEqual(['a.example', 'b.example']);
    });

    test('are edited; null is the default again, and what is not named stays', async () => {
      const { store, reopen } = await open();
      const { administration } = store;
      const domain = domainOf('go.example', { rootUrl: 'https://example.com/', scheme: 'http' });
      await administration.addDomain(domain);
      const changes = { rootUrl: null, accounts: ['account-1'] };
      const edited = { ...domain, ...changes };
      expect(await administration.editDomain('go.example', changes)).toEqual(edited);
      expect(await administration.editDomain('unknown.example', changes)).toBeUndefined();
      for await (const subject of inTurn(store, reopen)) {
        expect([...subject.domains.values()]).toEqual([edited]);
      }
    });

    test('that were removed are known as such until they are added again, with their links', async () => {
      const { store, reopen } = await open();
      const { administration } = store;
      await administration.addDomain(domainOf('go.example', { scheme: 'http' }));
      const link = await addLink(store, newLink('go.example/Sale'));
      expect(await administration.removeDomain('go.example', NOW + 1)).toBe(true);
      expect(await administration.removeDomain('go.example', NOW + 2)).toBe(false);
      expect(await administration.editDomain('go.example', { scheme: null })).toBeUndefined();
      for await (const subject of inTurn(store, reopen)) {
        expect(subject.domains.get('go.example')).toMatchObject({ removed: NOW + 1 });
        expect(await subject.findLink('go.example/sale')).toEqual(link);
      }
      const reopened = await reopen();
      const again = domainOf('go.example', { created: NOW + 3 });
      expect(await reopened.administration.addDomain(again)).toBe(true);
      for await (const subject of inTurn(reopened, reopen)) {
        expect([...subject.domains.values()]).toEqual([again]);
        expect(await subject.findLink('GO.example/sale')).toEqual(link);
      }
    });

    test('have aliases of their own: one alias on several domains is several links', async () => {
      const { store, reopen } = await open();
      const hosts = ['', 'a.example/', 'b.example:8080/'];
      const added = [];
      await addDomains(store, 'a.example', 'b.example:8080');
      for (const [index, prefix] of hosts.entries()) {
        const link = { accountId: `account-${index}` };
        added.push(await addLink(store, newLink(`${prefix}sale`, { link })));
      }
      const taken = await store.addLink(newLink('A.example/SALE'));
      expect(taken).toEqual({ kind: 'alias_taken' });
      await store.administration.removeDomain('a.example', NOW);
      for await (const subject of inTurn(store, reopen)) {
        for (const [index, prefix] of hosts.entries()) {
          expect(await subject.findLink(`${prefix}Sale`)).toEqual(added[index]);
          expect(await subject.isAliasFree(`${prefix}sale`, `account-${index}`)).toBe(false);
          expect(await subject.isAliasFree(`${prefix}other`, 'account-9')).toBe(true);
        }
      }
    });

    test('that are added again are as they were, apart from what is set', async () => {
      const { store, reopen } = await open();
      const { administration } = store;
      const brand = { name: 'Go', logo: null, color: null };
      const domain = domainOf('go.example', { brand, accounts: ['account-1'], scheme: 'http' });
      await administration.addDomain(domain);
      await administration.removeDomain('go.example', NOW + 1);
      const again = { host: 'go.example', created: NOW, scheme: null };
      expect(await administration.addDomain(again)).toBe(true);
      for await (const subject of inTurn(store, reopen)) {
        expect([...subject.domains.values()]).toEqual([{ ...domain, scheme: null }]);
      }
    });

    test('can be forgotten when they are removed, and never had an alias', async () => {
      const { store, reopen, maintain } = await open();
      const { administration } = store;
      await addDomains(store, 'a.example', 'b.example');
      const link = await addLink(store, newLink('b.example/sale'));
      await addLink(store, newLink('a.example'));
      expect(await administration.forgetDomain('a.example', NOW)).toBe(false);
      await administration.removeDomain('a.example', NOW + 1);
      expect(await administration.forgetDomain('a.example', NOW)).toBe(false);
      expect(await administration.hasAliases('a.example')).toBe(false);
      expect(await administration.hasAliases('b.example')).toBe(true);
      const { id: linkId, accountId } = link;
      await store.purgeLink({ linkId, accountId, by: ADMINISTRATOR });
      expect(await administration.hasAliases('b.example')).toBe(true);
      expect(await administration.forgetDomain('a.example', NOW + 1)).toBe(true);
      for await (const subject of inTurn(store, reopen, maintain, reopen)) {
        expect([...subject.domains.keys()]).toEqual(['b.example']);
      }
    });

    test('get no link from an account that cannot use them when it is added', async () => {
      const { store } = await open();
      const { administration } = store;
      await addLink(store, newLink('first', { link: { accountId: 'account-1' } }));
      const by = { kind: 'anonymous' } as const;
      await administration.addDomain(domainOf('go.example', { accounts: ['account-1'] }));
      const add = (alias: string, accountId = 'account-1') =>
        store.addLink({ ...newLink(alias, { link: { accountId } }), by });
      expect(await add('go.example/one')).toMatchObject({ kind: 'added' });
      expect(await add('go.example/two', 'account-2')).toEqual({ kind: 'domain_unusable' });
      expect(await add('unknown.example/two')).toEqual({ kind: 'domain_unusable' });
      const previous = newLink('two', {
        link: { accountId: 'account-2', previousAliases: ['go.example/three', 'three'] },
      });
      expect(await store.addLink({ ...previous, by })).toMatchObject({
        kind: 'added',
        link: { previousAliases: ['three'] },
      });
      await administration.editDomain('go.example', { accounts: [] });
      expect(await add('go.example/late')).toEqual({ kind: 'domain_unusable' });
      await administration.editDomain('go.example', { accounts: 'all' });
      await administration.removeDomain('go.example', NOW);
      expect(await add('go.example/removed')).toEqual({ kind: 'domain_unusable' });
      expect(await store.findLink('go.example/removed')).toBeUndefined();
    });

    test('get no link by an edit of an account that cannot use them', async () => {
      const { store } = await open();
      const { administration } = store;
      await administration.addDomain(domainOf('go.example'));
      const { id: linkId, accountId } = await addLink(store, newLink('go.example/one'));
      const rename = (alias: string, by: Authorization = { kind: 'anonymous' }) =>
        store.editLink({
          ...{ linkId, accountId, by, modified: NOW, quota: null, room: null },
          changes: { alias },
        });
      expect(await rename('go.example/two')).toMatchObject({ kind: 'edited' });
      await administration.editDomain('go.example', { accounts: ['account-9'] });
      expect(await rename('go.example/three')).toEqual({ kind: 'domain_unusable' });
      // An alias that the link has had is its own, and administrators move links.
      expect(await rename('go.example/one')).toMatchObject({ kind: 'edited' });
      expect(await rename('go.example/four', ADMINISTRATOR)).toMatchObject({ kind: 'edited' });
      await administration.removeDomain('go.example', NOW);
      expect(await rename('go.example/five', ADMINISTRATOR)).toEqual({ kind: 'domain_unusable' });
    });
  });
}
