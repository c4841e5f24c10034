import { expect, test } from 'vitest';
import { changedLink, fromLinkJson, type Link } from '../../../../server/store/link.ts';
import { LinkCache } from '../../../../server/store/postgres/links/link-cache.ts';
import { ManualTime } from '../../../support/manual-time.ts';

const MAX_BYTES = 1_000_000;

function linkWith(alias: string, changes: Partial<Link> = {}): Link {
  const originalUrl = 'https://example.com/';
  return fromLinkJson(alias, { accountId: 'account', alias, originalUrl, created: 0, ...changes });
}

/** A cache of a database with these links, by the keys of their aliases. */
function cacheOf(links: Map<string, Link>): LinkCache {
  return new LinkCache(async (key) => links.get(key), {
    maxBytes: MAX_BYTES,
    // What was looked up stays current.
    time: new ManualTime(),
  });
}

test('has no more bytes of links than it may have, whatever their size, and those that are used', async () => {
  for (const title of ['x'.repeat(50_000), 'あ'.repeat(25_000), 'x']) {
    const links = new Map([['used', linkWith('used', { title })]]);
    const cache = cacheOf(links);
    await cache.find('used');
    const count = Math.min((3 * MAX_BYTES) / title.length, 10_000);
    for (let index = 0; index < count; index++) {
      expect(cache.known('used')).toBeDefined();
      links.set(`link-${index}`, linkWith(`link-${index}`, { title }));
      await cache.find(`link-${index}`);
    }
    const kept = Array.from({ length: count }, (_, index) => cache.known(`link-${index}`));
    const characters = kept.reduce((sum, link) => sum + (link?.title.length ?? 0), 0);
    const bytesOfEach = title.startsWith('あ') ? 2 : 1;
    expect(characters * bytesOfEach).toBeLessThanOrEqual(MAX_BYTES);
    expect(kept.filter(Boolean).length).toBeGreaterThan(2);
  }
});

test('has one object for an alias, as long as only the hits of its link change', async () => {
  const link = linkWith('one');
  const links = new Map([['one', link]]);
  const cache = cacheOf(links);
  await cache.find('one');
  links.set('one', changedLink(link, { hits: 5 }));
  await cache.find('one');
  expect(cache.known('one')).toBe(link);
  expect(link.hits).toBe(5);
  links.set('one', changedLink(link, { title: 'new' }));
  await cache.find('one');
  expect(cache.known('one')).toMatchObject({ title: 'new' });
});

test('forgets the links of a deleted account, and an alias that has no link any more', async () => {
  const links = new Map(['one', 'two', 'three'].map((alias) => [alias, linkWith(alias)]));
  links.set('kept', linkWith('kept', { accountId: 'other' }));
  const cache = cacheOf(links);
  for (const alias of links.keys()) await cache.find(alias);
  links.delete('three');
  await cache.find('three');
  expect(cache.known('three')).toBeUndefined();
  expect(cache.known('two')).toBeDefined();
  cache.forget({ aliases: [], deletedAccounts: ['account'] });
  for (const alias of ['one', 'two']) expect(cache.known(alias)).toBeUndefined();
  expect(cache.known('kept')).toBeDefined();
});
