import { describe, expect, test } from 'vitest';
import type { StoredDomain } from '../../../server/store/domains.ts';
import { addLink, inTurn, NOW, newLink, type OpenSubject } from '../contract.ts';

export const domainOf = (host: string, changes: Partial<StoredDomain> = {}): StoredDomain => ({
  ...{ host, scheme: null, brand: null, rootUrl: null, notFoundUrl: null, goneUrl: null },
  ...{ accounts: 'all', created: NOW, removed: null },
  ...changes,
});

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
  });
}
