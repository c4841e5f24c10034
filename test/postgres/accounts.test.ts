import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { TOKENS_MAX } from '../../shared/bounds.ts';
import { domainOf } from '../store/contract/domains.ts';
import {
  ADMINISTRATOR,
  addLink,
  NOW,
  newAccount,
  newLink,
  newToken,
  ownLinkOf,
} from '../store/contract.ts';
import { newDatabase } from './support/databases.ts';
import { openStores, twoStores } from './support/open-stores.ts';

const SECOND_MS = 1000;

function linkOf(accountId: string, alias: string) {
  return newLink(alias, { quota: Number.POSITIVE_INFINITY, link: { accountId } });
}

/** Reads until it is as expected, which a reading that begins a second after the change must be. */
async function expectWithinASecond(read: () => unknown, expected: unknown): Promise<void> {
  const changed = performance.now();
  for (;;) {
    const isDue = performance.now() - changed > SECOND_MS;
    const value = await read();
    if (isDue) return expect(value).toEqual(expected);
    if (isDeepStrictEqual(value, expected)) return;
    await setTimeout(10);
  }
}

describe('accounts of several servers', () => {
  test('have a token that one server revokes refused by the other within a second', async () => {
    const [one, other] = await twoStores();
    const account = await one.addAccount(newAccount());
    const token = newToken(account.id);
    await one.addToken({ token, by: ADMINISTRATOR });
    expect((await other.findToken(token.tokenHash))?.token.id).toBe(token.id);
    expect(await one.revokeToken({ ...token, by: ADMINISTRATOR, evenIfLast: true })).toBe(
      'revoked',
    );
    await expectWithinASecond(() => other.findToken(token.tokenHash), undefined);
  });

  test('are known as one server edited them to the other within a second', async () => {
    const [one, other] = await twoStores();
    const account = newAccount();
    await one.addAccount(account);
    await other.findToken(account.tokenHash);
    const suspended = { reason: 'Spam', since: NOW };
    await one.administration.editAccount(account.id, { suspended });
    const found = async () => (await other.findToken(account.tokenHash))?.account.suspended;
    await expectWithinASecond(found, suspended);
  });

  test('are one for each identity', async () => {
    const stores = await openStores(3, await newDatabase());
    const accounts = await Promise.all(
      Array.from({ length: 30 }, (_, call) =>
        stores[call % 3]?.addAccount({ ...newAccount(), tokenHash: '', identityHash: 'ada' }),
      ),
    );
    expect(new Set(accounts.map((account) => account?.id)).size).toBe(1);
  });

  test('have no more tokens than allowed', async () => {
    const stores = await openStores(3, await newDatabase());
    const account = (await stores[0]?.addAccount(newAccount())) ?? newAccount();
    const outcomes = await Promise.all(
      Array.from({ length: TOKENS_MAX + 10 }, (_, call) =>
        stores[call % 3]?.addToken({ token: newToken(account.id), by: ADMINISTRATOR }),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(TOKENS_MAX - 1);
    expect(await stores[0]?.listTokens(account.id)).toHaveLength(TOKENS_MAX);
  });

  test('disappear with their links from the other server within a second', async () => {
    const [one, other] = await twoStores();
    const account = newAccount();
    await addLink(one, { ...linkOf(account.id, 'gone'), newAccount: account });
    expect(await other.findToken(account.tokenHash)).toBeDefined();
    const known = async () => {
      await other.findLink('gone');
      return other.knownLink('gone');
    };
    await expect.poll(known).toBeDefined();
    await one.deleteAccount({ accountId: account.id, by: ADMINISTRATOR });
    await expectWithinASecond(() => other.knownLink('gone'), undefined);
    await expectWithinASecond(() => other.findToken(account.tokenHash), undefined);
    expect(await other.findLink('gone')).toBeUndefined();
  });

  test('get links by moves and new ones at once, each counted', async () => {
    const [one, other] = await twoStores();
    const [from, to] = [await one.addAccount(newAccount()), await one.addAccount(newAccount())];
    const links = await Promise.all(
      Array.from({ length: 10 }, (_, index) => addLink(one, linkOf(from.id, `move-${index}`))),
    );
    const outcomes = await Promise.all([
      ...links.map((link, index) =>
        (index % 2 ? one : other).administration.moveLink(ownLinkOf(link), to.id),
      ),
      // The other way round, which locks the same two accounts.
      ...links.map((link) =>
        one.administration.moveLink({ linkId: link.id, accountId: to.id }, from.id),
      ),
      ...links.map((_, index) => addLink(other, linkOf(to.id, `new-${index}`))),
    ]);
    expect(outcomes.slice(0, 10)).toEqual(Array(10).fill('moved'));
    const movedBack = outcomes.slice(10, 20).filter((outcome) => outcome === 'moved').length;
    for (const [{ id }, links] of [
      [from, movedBack],
      [to, 20 - movedBack],
    ] as const) {
      expect(await one.countLinks(id, NOW)).toEqual({ month: links, total: links, imported: 0 });
      const all = { accountId: id, limit: 100, after: null, search: null, tag: null };
      expect((await other.listLinks(all)).links).toHaveLength(links);
    }
  });
});

describe('blocks of several servers', () => {
  test('are in effect on the other server, and until they are removed', async () => {
    const [one, other] = await twoStores();
    const block = { kind: 'host', value: 'evil.example', reason: 'Phishing', since: NOW } as const;
    for (const [change, expected] of [
      [() => one.administration.addBlock(block), block],
      [() => one.administration.removeBlock(block), undefined],
    ] as const) {
      expect(await change()).toBe(true);
      expect(one.blocks.host.get('evil.example')).toEqual(expected);
      const found = () => other.blocks.host.get('evil.example');
      await expect.poll(found).toEqual(expected);
    }
  });

  test('are as the last one of many concurrent changes left them', async () => {
    const [one, other] = await twoStores();
    const blocks = Array.from({ length: 20 }, (_, index) => ({
      kind: 'host' as const,
      value: `host-${index}.example`,
      reason: 'Phishing',
      since: NOW,
    }));
    await Promise.all(
      blocks.map((block, index) => (index % 2 ? one : other).administration.addBlock(block)),
    );
    for (const store of [one, other]) {
      const values = () => [...store.blocks.host.keys()].sort();
      await expect.poll(values).toEqual(blocks.map(({ value }) => value).sort());
    }
  });
});

describe('domains of several servers', () => {
  test('exist once, and are in effect on the other server', async () => {
    const [one, other] = await twoStores();
    const domain = domainOf('go.example');
    const added = await Promise.all(
      [one, other, one, other].map((store) => store.administration.addDomain(domain)),
    );
    expect(added.filter((isAdded) => isAdded)).toHaveLength(1);
    const goneUrl = 'https://example.com/gone';
    await one.administration.editDomain('go.example', { goneUrl });
    expect(one.domains.get('go.example')).toEqual({ ...domain, goneUrl });
    const found = () => other.domains.get('go.example');
    await expect.poll(found).toEqual({ ...domain, goneUrl });
    await one.administration.removeDomain('go.example', NOW);
    await expect.poll(found).toMatchObject({ removed: NOW });
  });
});
