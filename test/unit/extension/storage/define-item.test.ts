import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { z } from 'zod';
import { defineItem } from '../../../../extension/storage/define-item.ts';
import { StorageError } from '../../../../extension/storage/stored-area.ts';
import { breakStorage } from '../support/browser-storage.ts';

const schema = z.object({ name: z.string().optional().catch(undefined) });
const item = defineItem('local:thing', { fallback: {}, schema: () => schema });
let unlimit: (() => void) | undefined;

beforeEach(() => fakeBrowser.reset());
afterEach(() => unlimit?.());

const put = (items: object) => fakeBrowser.storage.local.set(items);
const stored = () => fakeBrowser.storage.local.get();

/** The quarantined values, without the time in their keys. */
async function quarantine(): Promise<[key: string, value: unknown][]> {
  return Object.entries(await stored())
    .filter(([key]) => key.startsWith('quarantined:'))
    .map(([key, value]) => [key.replace(/\d+$/, 'TIME'), value]);
}

describe('an unreadable value', () => {
  test.each([
    ['a text where an object is due', 'nonsense'],
    ['an object with an invalid field', { name: 7, other: 'kept too' }],
    ['an object with a field that is unknown', { name: 'good', surprise: 1 }],
  ])('is quarantined before it is overwritten: %s', async (_, value) => {
    await put({ thing: value });
    await item.update((thing) => ({ ...thing, name: 'new' }));
    expect(await item.read()).toEqual({ name: 'new' });
    expect(await quarantine()).toEqual([
      ['quarantined:thing:TIME', { reason: 'damaged', version: 1, value }],
    ]);
  });

  test('stays in place as long as nothing is written', async () => {
    await put({ thing: 'nonsense' });
    expect(await item.read()).toEqual({});
    expect(await item.findQuarantined()).toEqual({
      reason: 'damaged',
      version: 1,
      value: 'nonsense',
    });
    expect(await stored()).toEqual({ thing: 'nonsense' });
  });

  test('can be deleted without the readable part', async () => {
    await put({ thing: { name: 'good', surprise: 1 } });
    await item.dropQuarantined();
    expect((await stored()).thing).toEqual({ name: 'good' });
    expect(await item.findQuarantined()).toBeUndefined();
    expect(await quarantine()).toEqual([]);
  });

  test('is quarantined once: the next write finds nothing unreadable', async () => {
    await put({ thing: 'nonsense' });
    await item.update(() => ({ name: 'one' }));
    await item.update(() => ({ name: 'two' }));
    expect(await quarantine()).toHaveLength(1);
  });
});

test('an item of a newer version is read as far as possible, and quarantined as a whole before a write', async () => {
  await put({ thing: { name: 'newer' }, thing$: { v: 2 } });
  expect(await item.read()).toEqual({ name: 'newer' });
  expect(await item.findQuarantined()).toMatchObject({ reason: 'newer', version: 2 });
  await item.update(() => ({ name: 'mine' }));
  expect(await quarantine()).toEqual([
    ['quarantined:thing:TIME', { reason: 'newer', version: 2, value: { name: 'newer' } }],
  ]);
  expect(await item.findQuarantined()).toBeUndefined();
  expect(await item.read()).toEqual({ name: 'mine' });
});

describe('a write that fails', () => {
  test('throws a storage error, and leaves the value as it was', async () => {
    await item.update(() => ({ name: 'old' }));
    unlimit = breakStorage();
    await expect(item.update(() => ({ name: 'new' }))).rejects.toThrow(StorageError);
    expect(await item.read()).toEqual({ name: 'old' });
    unlimit();
    await item.update(() => ({ name: 'new' }));
    expect(await item.read()).toEqual({ name: 'new' });
  });

  test('is given up without an error where nobody misses it', async () => {
    unlimit = breakStorage();
    await item.updateIfPossible(() => ({ name: 'new' }));
    expect(await item.read()).toEqual({});
    const mistake = item.updateIfPossible(() => {
      throw new TypeError('A mistake');
    });
    await expect(mistake).rejects.toThrow(TypeError);
  });

  test('overwrites nothing that cannot be quarantined', async () => {
    await put({ thing: 'damaged' });
    unlimit = breakStorage();
    await expect(item.update(() => ({ name: 'new' }))).rejects.toThrow(StorageError);
    expect(await stored()).toEqual({ thing: 'damaged' });
  });
});
