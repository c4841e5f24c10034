import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import {
  findLinks,
  listLinks,
  removeLink,
  SAVED_MAX,
  saveLink,
  selectReusable,
} from '../../../../../extension/background/links/saved-links.ts';
import type { LinkSummary, ListedLink } from '../../../../../extension/links/link.ts';
import { QuotaExceededError } from '../../../../../extension/storage/quota.ts';
import { aLink } from '../../support/a-link.ts';
import { breakStorage, limitStorage } from '../../support/browser-storage.ts';

const SERVER = 'https://curt.example';
const PAGE = 'https://example.com/page';
const NOW = Date.parse('2030-06-01T00:00:00.000Z');
const HOUR_MS = 3_600_000;

function link(alias: string, more: Partial<LinkSummary> = {}): LinkSummary {
  return aLink({ shortUrl: `${SERVER}/${alias}`, originalUrl: PAGE, ...more });
}

function entry(alias: string): ListedLink {
  return { ...link(alias), serverOrigin: SERVER, requestedUrl: PAGE };
}

const { local } = fakeBrowser.storage;
const onDisk = (): Promise<Record<string, unknown>> => local.get();
const find = async (nowMs = NOW) => (await findLinks(SERVER, PAGE, false, nowMs))[0];
const aliases = async () => (await listLinks()).map(({ shortUrl }) => shortUrl.split('/').at(-1));

let restore = () => {};

beforeEach(() => fakeBrowser.reset());
afterEach(() => restore());

describe('the links of a page', () => {
  test('are those of its URL alone, newest first', async () => {
    await saveLink(SERVER, PAGE, link('a'), false);
    await saveLink(SERVER, PAGE, link('b'), false);
    await saveLink(SERVER, `${PAGE}$`, link('c'), false);
    expect(await findLinks(SERVER, PAGE, false, NOW)).toEqual([link('b'), link('a')]);
    expect(await findLinks('https://other.example', PAGE, false, NOW)).toEqual([]);
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
    ['makes visitors wait', { waitTimer: 5 }],
    ['loads a container', { hasContainer: true }],
    [
      'leads to several pages',
      { serverState: { id: '1', version: 1, goneUrl: 'https://example.com/over' } },
    ],
    ['has a visit limit', { serverState: { id: '1', version: 1, maxVisits: 5 } }],
  ])('are not reused if one %s', (_, more) => {
    expect(selectReusable([link('other', more), link('plain')])).toEqual(link('plain'));
    expect(selectReusable([link('other', more)])).toBeUndefined();
  });

  test('contain a link once, even if it is saved twice', async () => {
    await saveLink(SERVER, PAGE, link('a'), false);
    await saveLink(SERVER, PAGE, link('a'), false);
    expect(await findLinks(SERVER, PAGE, false, NOW)).toEqual([link('a')]);
  });

  test('are all stored if saved concurrently', async () => {
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((alias) => saveLink(SERVER, PAGE, link(alias), false)),
    );
    expect(await aliases()).toHaveLength(4);
  });

  test('of private windows are only in memory', async () => {
    await saveLink(SERVER, PAGE, link('secret'), true);
    expect(await onDisk()).toEqual({});
    expect(await find()).toBeUndefined();
    expect((await findLinks(SERVER, PAGE, true, NOW))[0]).toEqual(link('secret'));
  });

  test('that do not parse are skipped, and quarantined before they are overwritten', async () => {
    const damaged = { [SERVER]: { links: [{ shortUrl: 7 }, entry('a')] } };
    await local.set({ savedLinks: damaged });
    expect(await find()).toEqual(link('a'));
    await saveLink(SERVER, PAGE, link('b'), false);
    const { savedLinks, ...others } = await onDisk();
    expect(savedLinks).toEqual({ [SERVER]: { links: [entry('b'), entry('a')] } });
    expect(others).toMatchObject({ savedLinks$: { v: 1 } });
    expect(Object.values(others)).toContainEqual({ reason: 'damaged', version: 1, value: damaged });
  });
});

describe('the saved links', () => {
  test('are those of all servers, newest first', async () => {
    const other = 'http://other.example';
    await saveLink(SERVER, PAGE, link('old', { created: '2029-01-01T00:00:00.000Z' }), false);
    await saveLink(other, PAGE, link('other'), false);
    await saveLink(SERVER, PAGE, link('new', { created: '2031-01-01T00:00:00.000Z' }), false);
    await saveLink(SERVER, PAGE, link('secret'), true);
    expect(await aliases()).toEqual(['new', 'other', 'old']);
  });

  test('are the last 200 of each server', async () => {
    await saveLink('http://other.example', PAGE, link('other'), false);
    for (let number = 0; number <= SAVED_MAX; number += 1) {
      const created = new Date(Date.UTC(2030, 0, 1, 0, number)).toISOString();
      await saveLink(SERVER, PAGE, link(`l${number}`, { created }), false);
    }
    const saved = await aliases();
    expect(saved).toHaveLength(SAVED_MAX + 1);
    expect(saved).toContain('other');
    expect(saved).toContain(`l${SAVED_MAX}`);
    expect(saved).not.toContain('l0');
  });

  test('can lose a single link, and its page finds the one before', async () => {
    await saveLink(SERVER, PAGE, link('a'), false);
    await saveLink(SERVER, PAGE, link('b'), false);
    await removeLink(entry('b'));
    expect(await find()).toEqual(link('a'));
    await removeLink(entry('a'));
    expect(await onDisk()).toEqual({ savedLinks: {} });
  });
});

describe('a write that fails', () => {
  test('is reported if storage is full, and leaves the other links as they are', async () => {
    await saveLink(SERVER, PAGE, link('a'), false);
    restore = limitStorage(JSON.stringify(await onDisk()).length + 50);
    await expect(saveLink(SERVER, PAGE, link('b'), false)).rejects.toThrow(QuotaExceededError);
    expect(await aliases()).toEqual(['a']);
  });

  test('is reported with its own error otherwise', async () => {
    restore = breakStorage();
    await expect(saveLink(SERVER, PAGE, link('a'), false)).rejects.toThrow('disk');
  });
});
