import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import {
  findLinks,
  listLinks,
  removeLink,
  SAVED_MAX,
  saveLink,
  selectReusable,
} from '../../../../../extension/background/data/saved-links.ts';
import type { SavedLink } from '../../../../../extension/links/link.ts';
import { savedLinks } from '../../../../../extension/storage/items.ts';
import { StorageError } from '../../../../../extension/storage/stored-area.ts';
import type { LinkRecord } from '../../../../../shared/links/link-record.ts';
import {
  definitionOf,
  PLAIN_FIELDS,
  PLAIN_NAMES,
} from '../../../../../shared/links/plain-fields.ts';
import { valuesOf } from '../../../../support/field-values.ts';
import { aLink } from '../../support/a-link.ts';
import { breakStorage } from '../../support/browser-storage.ts';

const SERVER = 'https://curt.example';
const PAGE = 'https://example.com/page';
const NOW = Date.parse('2030-06-01T00:00:00.000Z');
const HOUR_MS = 3_600_000;

function link(alias: string, more: Partial<LinkRecord> = {}): LinkRecord {
  return aLink({ shortUrl: `${SERVER}/${alias}`, originalUrl: PAGE, ...more });
}

function entry(alias: string): SavedLink {
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

  test.each<[string, Partial<LinkRecord>]>([
    ['has a password', { hasPassword: true }],
    ['expires', { expiresAt: '2099-01-01T00:00:00.000Z' }],
    ['makes visitors wait', { waitTimer: 5 }],
    ['loads a container', { customGtmId: 'GTM-ABC1234' }],
    ['leads to several pages', { goneUrl: 'https://example.com/over' }],
    ['has a visit limit', { maxVisits: 5 }],
  ])('are not reused if one %s', (_, more) => {
    expect(selectReusable([link('other', more), link('plain')])).toEqual(link('plain'));
    expect(selectReusable([link('other', more)])).toBeUndefined();
  });

  test.each(PLAIN_NAMES)('are reused with another %s only if no visitor notices it', (name) => {
    const other = link('other', { [name]: valuesOf(name)[0] });
    const isNoticed = definitionOf(name).comparedForReuse === undefined;
    expect(selectReusable([other])).toEqual(isNoticed ? undefined : other);
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
    const damaged = { [SERVER]: [{ shortUrl: 7 }, entry('a')] };
    await local.set({ savedLinks: damaged });
    expect(await find()).toEqual(link('a'));
    await saveLink(SERVER, PAGE, link('b'), false);
    const { savedLinks: saved, ...others } = await onDisk();
    expect(saved).toEqual({ [SERVER]: [entry('b'), entry('a')] });
    expect(others).toMatchObject({ savedLinks$: { v: 1 } });
    expect(Object.values(others)).toContainEqual({ reason: 'damaged', version: 1, value: damaged });
  });
});

describe('a link that another version of the extension has saved', () => {
  test.each(PLAIN_NAMES)('has the default of %s if that is not there', async (name) => {
    const { [name]: _, ...older } = entry('a');
    await local.set({ savedLinks: { [SERVER]: [older] } });
    expect(await find()).toEqual({ ...link('a'), [name]: PLAIN_FIELDS[name].default });
    expect(await savedLinks.findQuarantined()).toBeUndefined();
  });

  test('is found with a newer field, which is quarantined before it is overwritten', async () => {
    const newer = { [SERVER]: [{ ...entry('a'), isNew: true }] };
    await local.set({ savedLinks: newer });
    expect(await find()).toEqual(link('a'));
    expect(await savedLinks.findQuarantined()).toMatchObject({ value: newer });
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

test('a link that cannot be written is reported, and the others stay as they are', async () => {
  await saveLink(SERVER, PAGE, link('a'), false);
  restore = breakStorage();
  await expect(saveLink(SERVER, PAGE, link('b'), false)).rejects.toThrow(StorageError);
  expect(await aliases()).toEqual(['a']);
});
