import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { dropOldestUntil } from '../../../../../extension/background/links/link-quota.ts';
import {
  findLinks,
  saveLink,
  selectReusable,
} from '../../../../../extension/background/links/link-store.ts';
import type { LinkSummary } from '../../../../../extension/links/link.ts';
import {
  droppedLinksCount,
  savedLinks,
  savedLinksBytes,
} from '../../../../../extension/storage/items.ts';
import { QuotaExceededError } from '../../../../../extension/storage/quota.ts';
import { breakStorage, limitStorage } from '../../support/browser-storage.ts';

const SERVER = 'https://curt.example';
const PAGE = 'https://example.com/page';
const NAME = `${SERVER} ${PAGE}`;
const NOW = Date.parse('2030-06-01T00:00:00.000Z');
const HOUR_MS = 3_600_000;

function link(alias: string, more: Partial<LinkSummary> = {}): LinkSummary {
  return {
    shortUrl: `${SERVER}/${alias}`,
    originalUrl: PAGE,
    title: '',
    created: '2030-01-01T00:00:00.000Z',
    expiresAt: null,
    hasPassword: false,
    waitTimerSeconds: 0,
    ...more,
  };
}

const { local } = fakeBrowser.storage;
const onDisk = (): Promise<Record<string, unknown>> => local.get();
const find = async (nowMs = NOW) => (await findLinks(SERVER, PAGE, false, nowMs))[0];

let restore = () => {};

beforeEach(() => fakeBrowser.reset());
afterEach(() => restore());

describe('the links of a page', () => {
  test('are stored under one key, newest first', async () => {
    await saveLink(SERVER, PAGE, link('a'), false);
    await saveLink(SERVER, PAGE, link('b'), false);
    await saveLink(SERVER, `${PAGE}$`, link('c'), false);
    expect(await onDisk()).toEqual({
      [`links:${NAME}`]: { version: 1, list: [link('b'), link('a')] },
      [`links:${NAME}$`]: { version: 1, list: [link('c')] },
    });
    expect(await find()).toEqual(link('b'));
  });

  test('are found without those that have expired', async () => {
    const expiresAt = new Date(NOW + HOUR_MS).toISOString();
    await saveLink(SERVER, PAGE, link('lasting'), false);
    await saveLink(SERVER, PAGE, link('short', { expiresAt }), false);
    expect(await find()).toEqual(link('short', { expiresAt }));
    expect(await find(NOW + HOUR_MS)).toEqual(link('lasting'));
  });

  test.each<[string, Partial<LinkSummary>]>([
    ['has a password', { hasPassword: true }],
    ['expires', { expiresAt: '2099-01-01T00:00:00.000Z' }],
    ['makes visitors wait', { waitTimerSeconds: 5 }],
    ['loads a container', { hasContainer: true }],
    ['comes from a file', { isImported: true }],
  ])('are not reused if one %s', (_, more) => {
    expect(selectReusable([link('other', more), link('plain')])).toEqual(link('plain'));
    expect(selectReusable([link('other', more)])).toBeUndefined();
  });

  test('contain a link once, even if it is saved twice', async () => {
    await saveLink(SERVER, PAGE, link('a'), false);
    await saveLink(SERVER, PAGE, link('a'), false);
    expect(await savedLinks.read(NAME)).toEqual([link('a')]);
  });

  test('are all stored if saved concurrently', async () => {
    const aliases = ['a', 'b', 'c', 'd'];
    await Promise.all(aliases.map((alias) => saveLink(SERVER, PAGE, link(alias), false)));
    expect(await savedLinks.read(NAME)).toHaveLength(4);
  });

  test('of private windows are only in memory', async () => {
    await saveLink(SERVER, PAGE, link('secret'), true);
    expect(await onDisk()).toEqual({});
    expect(await find()).toBeUndefined();
    expect((await findLinks(SERVER, PAGE, true, NOW))[0]).toEqual(link('secret'));
  });

  test('that do not parse are skipped, and kept next to later ones', async () => {
    const damaged = { shortUrl: 7 };
    await local.set({ [`links:${NAME}`]: { version: 1, list: [damaged, link('a')] } });
    expect(await find()).toEqual(link('a'));
    await saveLink(SERVER, PAGE, link('b'), false);
    expect(await onDisk()).toEqual({
      [`links:${NAME}`]: { version: 1, list: [link('b'), link('a'), damaged] },
    });
  });

  test.each([
    ['that a newer version wrote', 'newer', 2, { version: 2, list: [link('a')] }],
    ['that are no list', 'damaged', 1, 'nonsense'],
  ])('%s are quarantined before they are overwritten', async (_, reason, version, value) => {
    await local.set({ [`links:${NAME}`]: value });
    await saveLink(SERVER, PAGE, link('b'), false);
    const { [`links:${NAME}`]: list, ...others } = await onDisk();
    expect(list).toMatchObject({ version: 1, list: expect.arrayContaining([link('b')]) });
    expect(Object.keys(others)).toEqual([expect.stringMatching(/^quarantined:links:.+:\d+$/)]);
    expect(Object.values(others)).toEqual([{ reason, version, value }]);
  });
});

describe('when storage is full', () => {
  const year = (number: number) => `${2000 + number}-01-01T00:00:00.000Z`;
  const pageOf = (number: number) => `${PAGE}/${number}`;

  async function rememberYears(count: number): Promise<void> {
    for (let number = 0; number < count; number += 1) {
      const about = { created: year(number), originalUrl: pageOf(number).padEnd(100_000, 'x') };
      await saveLink(SERVER, pageOf(number), link(String(number), about), false);
    }
  }
  const aliases = async () =>
    [...(await savedLinks.readAll()).values()]
      .flat()
      .map(({ shortUrl }) => Number(shortUrl.split('/').at(-1)));

  test('the oldest links beyond 4.5 MB are deleted and counted', async () => {
    await rememberYears(60);
    const left = await aliases();
    expect(left.length).toBeLessThan(47);
    expect(left.length).toBeGreaterThan(41);
    expect(Math.min(...left)).toBe(60 - left.length);
    expect(await droppedLinksCount.read()).toBe(60 - left.length);
  });

  test('the links are counted again after the browser has restarted', async () => {
    await rememberYears(30);
    await fakeBrowser.storage.session.clear();
    await saveLink(SERVER, PAGE, link('new'), false);
    const bytes = JSON.stringify(await onDisk()).length;
    expect((await savedLinksBytes.read()) ?? 0).toBeGreaterThan(bytes * 0.99);
    expect((await savedLinksBytes.read()) ?? 0).toBeLessThan(bytes * 1.01);
  });

  test('the oldest links are deleted, and the new link is saved', async () => {
    await rememberYears(10);
    restore = limitStorage(JSON.stringify(await onDisk()).length);
    await saveLink(SERVER, PAGE, link('99', { created: year(99) }), false);
    const left = (await aliases()).sort((one, other) => one - other);
    expect(left[0]).toBeGreaterThan(0);
    expect(left.at(-1)).toBe(99);
    expect(await droppedLinksCount.read()).toBe(11 - left.length);
  });

  test('a storage full of other data is reported', async () => {
    await local.set({ ballast: 'x'.repeat(1000) });
    restore = limitStorage(1020);
    const remembering = saveLink(SERVER, PAGE, link('new'), false);
    await expect(remembering).rejects.toThrow(QuotaExceededError);
  });

  test('another error deletes nothing', async () => {
    await rememberYears(3);
    restore = breakStorage();
    await expect(saveLink(SERVER, PAGE, link('new'), false)).rejects.toThrow('disk');
    expect((await aliases()).sort()).toEqual([0, 1, 2]);
    expect(await droppedLinksCount.read()).toBe(0);
  });

  test('only the oldest link of a URL is deleted if it has newer ones', () => {
    const links = [link('new', { created: year(9) }), link('old', { created: year(1) })];
    const lists = new Map([[NAME, links]]);
    const { lists: thinned, dropped } = dropOldestUntil(lists, 400);
    expect(dropped).toBe(1);
    expect(thinned.get(NAME)).toEqual([links[0]]);
  });
});
