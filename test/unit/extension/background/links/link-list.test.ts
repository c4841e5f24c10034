import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import {
  addLinks,
  listLinks,
  mergeLinks,
  removeLink,
  restoreLink,
} from '../../../../../extension/background/links/link-list.ts';
import { findLinks, saveLink } from '../../../../../extension/background/links/link-store.ts';
import type { LinkSummary, ListedLink } from '../../../../../extension/links/link.ts';
import { droppedLinksCount, savedLinksBytes } from '../../../../../extension/storage/items.ts';
import { QuotaExceededError } from '../../../../../extension/storage/quota.ts';
import { limitStorage } from '../../support/browser-storage.ts';

const SERVER = 'https://curt.example';
const PAGE = 'https://example.com/page';

function listed(alias: string, more: Partial<ListedLink> = {}): ListedLink {
  return {
    shortUrl: `${SERVER}/${alias}`,
    originalUrl: PAGE,
    title: '',
    created: '2030-01-01T00:00:00.000Z',
    expiresAt: null,
    hasPassword: false,
    waitTimerSeconds: 0,
    serverOrigin: SERVER,
    requestedUrl: PAGE,
    ...more,
  };
}

beforeEach(() => fakeBrowser.reset());

async function remember({ serverOrigin, requestedUrl, ...link }: ListedLink): Promise<void> {
  await saveLink(serverOrigin, requestedUrl, link, false);
}
const toSummary = ({ serverOrigin: _, requestedUrl: __, ...link }: ListedLink): LinkSummary => link;

describe('the list', () => {
  test('has the links of all pages and servers, newest first, but none of private windows', async () => {
    const old = listed('old', { created: '2029-01-01T00:00:00.000Z' });
    const other = listed('other', {
      requestedUrl: 'https://example.com/a b',
      serverOrigin: 'http://a',
    });
    const newest = listed('new', { created: '2031-01-01T00:00:00.000Z' });
    for (const link of [old, other, newest]) await remember(link);
    await saveLink(SERVER, PAGE, toSummary(listed('secret')), true);
    expect(await listLinks()).toEqual([newest, other, old]);
  });

  test('can lose a single link, and its page finds the one before', async () => {
    await remember(listed('a'));
    await remember(listed('b', { created: '2030-01-02T00:00:00.000Z' }));
    await removeLink(listed('b'));
    expect(await listLinks()).toEqual([listed('a')]);
    expect((await findLinks(SERVER, PAGE, false, 0))[0]).toEqual(toSummary(listed('a')));
    await removeLink(listed('a'));
    expect(await fakeBrowser.storage.local.get()).toEqual({});
  });
});

describe('a removed link', () => {
  test('is restored in its place, once', async () => {
    const links = [2032, 2031, 2030].map((year) =>
      listed(`y${year}`, { created: `${year}-01-01T00:00:00.000Z` }),
    );
    await addLinks(links);
    const before = await fakeBrowser.storage.local.get();
    await removeLink(links[1] as ListedLink);
    await restoreLink(links[1] as ListedLink);
    await restoreLink(links[1] as ListedLink);
    expect(await fakeBrowser.storage.local.get()).toEqual(before);
    const bytes = await savedLinksBytes.read();
    await fakeBrowser.storage.session.clear();
    await addLinks([]);
    expect(await savedLinksBytes.read()).toBe(bytes);
  });

  test('is removed and restored without reading other lists', async () => {
    const links = Array.from({ length: 50 }, (_, index) =>
      listed(`l${index}`, { requestedUrl: `${PAGE}/${index}` }),
    );
    await addLinks(links);
    const { local } = fakeBrowser.storage;
    const get = vi.spyOn(local, 'get');
    const set = vi.spyOn(local, 'set');
    const remove = vi.spyOn(local, 'remove');
    try {
      await removeLink(links[7] as ListedLink);
      await restoreLink(links[7] as ListedLink);
      const key = `links:${SERVER} ${PAGE}/7`;
      expect(get.mock.calls).toEqual([[[key]], [[key]]]);
      expect(remove.mock.calls).toEqual([[[key]]]);
      expect(set.mock.calls.map(([items]) => Object.keys(items as object))).toEqual([[key]]);
    } finally {
      vi.restoreAllMocks();
    }
  });
});

describe('added links', () => {
  test('are stored in batches, newest first, with progress reports', async () => {
    const many = Array.from({ length: 1200 }, (_, index) =>
      listed(`m${index}`, {
        requestedUrl: `${PAGE}/${index}`,
        created: new Date(Date.UTC(2030, 0, 1, 0, index)).toISOString(),
      }),
    );
    const reported: [number, number][] = [];
    const stored: number[] = [];
    fakeBrowser.storage.onChanged.addListener((changes: object, area: string) => {
      if (area === 'local') stored.push(Object.keys(changes).length);
    });
    await addLinks([listed('m3'), ...many], (...progress) => void reported.push(progress));
    expect(reported).toEqual([
      [500, 1200],
      [1000, 1200],
      [1200, 1200],
    ]);
    expect(stored).toEqual([500, 500, 200]);
  });

  test('beyond the browser’s quota are left out, oldest first', async () => {
    const many = Array.from({ length: 1200 }, (_, index) =>
      listed(`m${index}`, {
        requestedUrl: `${PAGE}/${index}`,
        created: new Date(Date.UTC(2030, 0, 1, 0, index)).toISOString(),
      }),
    );
    const unlimit = limitStorage(200_000);
    try {
      expect(await addLinks(many)).toEqual({ added: 500, known: 0, outOfSpace: 700 });
    } finally {
      unlimit();
    }
    expect((await listLinks()).map(({ shortUrl }) => shortUrl)).toEqual(
      many
        .slice(-500)
        .reverse()
        .map(({ shortUrl }) => shortUrl),
    );
  });

  test('are sorted by date, and found for their pages', async () => {
    await remember(listed('b', { created: '2030-06-01T00:00:00.000Z' }));
    const [older, newer] = [
      listed('a', { created: '2029-06-01T00:00:00.000Z' }),
      listed('c', { created: '2031-06-01T00:00:00.000Z' }),
    ];
    expect(await addLinks([older, newer])).toEqual({ added: 2, known: 0, outOfSpace: 0 });
    const endings = (await listLinks()).map(({ shortUrl }) => shortUrl.at(-1));
    expect(endings).toEqual(['c', 'b', 'a']);
    expect((await findLinks(SERVER, PAGE, false, 0))[0]).toEqual(toSummary(newer));
  });

  test('do not change existing links', async () => {
    await remember(listed('a', { title: 'Mine', hasPassword: true }));
    await remember(listed('b'));
    const theirs = { title: 'Theirs', requestedUrl: 'https://example.com/elsewhere' };
    expect(await addLinks([listed('a', theirs), listed('b', theirs)])).toEqual({
      added: 0,
      known: 2,
      outOfSpace: 0,
    });
    expect(await listLinks()).toEqual(
      expect.arrayContaining([listed('a', { title: 'Mine', hasPassword: true }), listed('b')]),
    );
  });

  test('are all left out if none fits', async () => {
    await remember(listed('a'));
    const before = await fakeBrowser.storage.local.get();
    const unlimit = limitStorage(1000);
    try {
      const many = Array.from({ length: 100 }, (_, index) => listed(`many-${index}`));
      await expect(addLinks(many)).rejects.toThrow();
    } finally {
      unlimit();
    }
    expect(await fakeBrowser.storage.local.get()).toEqual(before);
  });

  const large = (alias: string, year: number) =>
    listed(alias, {
      requestedUrl: `${PAGE}/${alias}`,
      created: new Date(Date.UTC(year, 0)).toISOString(),
      originalUrl: `https://example.com/${'x'.repeat(100_000)}`,
    });

  test('beyond the limit are left out, oldest first, and no existing link is deleted', async () => {
    await remember(listed('mine', { created: '1999-01-01T00:00:00.000Z' }));
    const many = Array.from({ length: 50 }, (_, index) => large(`large-${index}`, 2000 + index));
    const { added, known, outOfSpace } = await addLinks(many);
    const left = (await listLinks()).map(({ shortUrl }) => shortUrl);
    expect({ known, added, outOfSpace }).toEqual({
      known: 0,
      added: left.length - 1,
      outOfSpace: 51 - left.length,
    });
    expect(added).toBeGreaterThan(30);
    expect(outOfSpace).toBeGreaterThan(0);
    expect(left[0]).toBe(`${SERVER}/large-49`);
    expect(left.at(-1)).toBe(`${SERVER}/mine`);
    expect(await droppedLinksCount.read()).toBe(0);
  });

  test('are rejected if the list is full, and no existing link is deleted', async () => {
    for (let year = 2000; year < 2047; year += 1) await remember(large(`large-${year}`, year));
    const before = await fakeBrowser.storage.local.get();
    const more = ['a', 'b'].map((alias) => large(alias, 2060));
    await expect(addLinks(more)).rejects.toThrow(QuotaExceededError);
    expect(await fakeBrowser.storage.local.get()).toEqual(before);
  });
});

test('merging never duplicates or changes a link, however often it is repeated', () => {
  const links = fc.array(
    fc
      .record({
        alias: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
        page: fc.constantFrom('1', '2', '3'),
        title: fc.constantFrom('', 'one', 'two'),
        year: fc.integer({ min: 2000, max: 2040 }),
      })
      .map(({ alias, page, title, year }) =>
        listed(alias, {
          title,
          requestedUrl: `${PAGE}/${page}`,
          created: `${year}-01-01T00:00:00.000Z`,
        }),
      ),
  );
  fc.assert(
    fc.property(links, links, (first, second) => {
      const before = mergeLinks(new Map(), first).changed;
      const { changed, added, known } = mergeLinks(before, second);
      const after = new Map([...before, ...changed]);
      const all = [...after.values()].flat();
      expect(added + known).toBe(second.length);
      expect(new Set(all.map(({ shortUrl }) => shortUrl)).size).toBe(all.length);
      expect(all.length).toBe([...before.values()].flat().length + added);
      for (const link of [...before.values()].flat()) {
        expect(all.find(({ shortUrl }) => shortUrl === link.shortUrl)).toEqual(link);
      }
      expect(mergeLinks(after, second)).toMatchObject({ added: 0 });
    }),
  );
});
