import { expect, test } from 'vitest';
import type { Link } from '../../../../server/store/link.ts';
import type { Store } from '../../../../server/store/store.ts';
import { RedirectCache } from '../../../../server/visit/redirect-cache.ts';

const LINK = { id: 'id', targetUrl: 'https://example.com/', maxVisits: null, expiresAt: null };

function newCache() {
  const blocks = { changeCount: 0 };
  const store = { hitCounter: () => () => {} } as unknown as Store;
  const cache = new RedirectCache(store, blocks);
  const add = (alias: string, changes: Partial<Link> = {}) =>
    cache.add(alias, { ...LINK, ...changes } as Link, cache.changeCount);
  return { cache, blocks, add };
}

test('the oldest of more than 20,000 redirects is evicted', () => {
  const { cache, add } = newCache();
  for (let alias = 0; alias < 20_001; alias++) add(`${alias}`);
  expect(cache.get('/0')).toBeUndefined();
  expect(cache.get('/1')).toBeDefined();
  expect(cache.get('/20000')).toBeDefined();
});

test('a change clears it, also one while a link is looked up', () => {
  const { cache, blocks, add } = newCache();
  add('before');
  const { changeCount } = cache;
  blocks.changeCount++;
  cache.add('meanwhile', LINK as Link, changeCount);
  expect(cache.get('/before')).toBeUndefined();
  expect(cache.get('/meanwhile')).toBeUndefined();
});

test.each([
  ['whose visits are limited', { maxVisits: 3 }],
  ['with a very long target', { targetUrl: `https://example.com/${'p'.repeat(1000)}` }],
])('a link %s is not cached', (_, changes) => {
  const { cache, add } = newCache();
  add('one', changes);
  expect(cache.get('/one')).toBeUndefined();
});
