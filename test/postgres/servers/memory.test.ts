import { expect, test } from 'vitest';
import { addLink, newLink } from '../../store/contract.ts';
import { newDatabase } from '../support/databases.ts';
import { withStore } from '../support/open-stores.ts';
import { startServers } from './two-servers.ts';

const LINKS = 150;
/** Links that are added at once, which takes less time. */
const TOGETHER = 50;
const PREVIOUS_ALIASES = 19;
/** About 16 kB of JSON, as much as the URLs of a link may have. */
const RULES = Array.from({ length: 20 }, (_, index) => ({
  language: 'fr',
  originalUrl: `https://example.com/${index}/${'x'.repeat(770)}`,
}));

test('a server with a heap of 64 MB goes on after visits of 3,000 aliases of large links', async () => {
  const url = await newDatabase();
  const aliasesOf = (index: number) =>
    Array.from({ length: PREVIOUS_ALIASES + 1 }, (_, number) => `link-${index}-${number}`);
  await withStore(url, async (store) => {
    const add = (index: number) => {
      const [alias = '', ...previousAliases] = aliasesOf(index);
      const link = { accountId: `account-${index % 5}`, previousAliases, rules: RULES };
      return addLink(store, newLink(alias, { quota: 1_000_000, link }));
    };
    for (let start = 0; start < LINKS; start += TOGETHER) {
      await Promise.all(Array.from({ length: TOGETHER }, (_, more) => add(start + more)));
    }
  });
  // With young objects of the default size, which may all become old, V8 would collect garbage all the time.
  const heap = '--max-old-space-size=64 --max-semi-space-size=4';
  const [server] = await startServers(1, url, { NODE_OPTIONS: heap });
  if (!server) throw new Error('the server must start');
  const aliases = Array.from({ length: LINKS }, (_, index) => aliasesOf(index)).flat();
  // Each link is looked up by another alias each time.
  const inTurn = aliases.sort((one, other) => (one.slice(-2) < other.slice(-2) ? -1 : 1));
  const visit = async () => {
    for (let alias = inTurn.pop(); alias; alias = inTurn.pop()) {
      const { status } = await fetch(`${server.baseUrl}/${alias}`, { redirect: 'manual' });
      expect(status).toBe(302);
    }
  };
  await Promise.all(Array.from({ length: 8 }, visit));
  expect((await fetch(`${server.baseUrl}/api/health`)).status).toBe(200);
});
