import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { z } from 'zod';
import { defineItem } from '../../../../extension/storage/define-item.ts';
import { QuotaExceededError } from '../../../../extension/storage/quota.ts';
import { breakStorage, limitStorage } from '../support/browser-storage.ts';

const schema = z.object({ name: z.string().optional().catch(undefined) });
const first = defineItem('local:thing', { fallback: {}, schema });
const defineSecond = () =>
  defineItem('local:thing', {
    version: 2,
    fallback: {},
    schema,
    migrations: { 2: (before) => ({ name: (before as { title: string }).title.toUpperCase() }) },
  });

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
    await first.update((thing) => ({ ...thing, name: 'new' }));
    expect(await first.read()).toEqual({ name: 'new' });
    expect(await quarantine()).toEqual([
      ['quarantined:thing:TIME', { reason: 'damaged', version: 1, value }],
    ]);
  });

  test('stays in place as long as nothing is written', async () => {
    await put({ thing: 'nonsense' });
    expect(await first.read()).toEqual({});
    expect(await first.findQuarantined()).toEqual({
      reason: 'damaged',
      version: 1,
      value: 'nonsense',
    });
    expect(await stored()).toEqual({ thing: 'nonsense' });
  });

  test('can be deleted without the readable part', async () => {
    await put({ thing: { name: 'good', surprise: 1 } });
    await first.dropQuarantined();
    expect((await stored()).thing).toEqual({ name: 'good' });
    expect(await first.findQuarantined()).toBeUndefined();
    expect(await quarantine()).toEqual([]);
  });

  test('is quarantined once: the next write finds nothing unreadable', async () => {
    await put({ thing: 'nonsense' });
    await first.update(() => ({ name: 'one' }));
    await first.update(() => ({ name: 'two' }));
    expect(await quarantine()).toHaveLength(1);
  });
});

describe('an item of another version', () => {
  test('is migrated before it is read', async () => {
    await put({ thing: { title: 'old' } });
    const second = defineSecond();
    expect(await second.read()).toEqual({ name: 'OLD' });
    await second.update(({ name }) => ({ name: `${name} AND NEW` }));
    expect(await stored()).toEqual({ thing: { name: 'OLD AND NEW' }, thing$: { v: 2 } });
    expect(await second.read()).toEqual({ name: 'OLD AND NEW' });
  });

  test('is quarantined with its version if a migration fails', async () => {
    await put({ thing: { neither: true } });
    const second = defineSecond();
    expect(await second.read()).toEqual({});
    await second.update(() => ({ name: 'new' }));
    expect(await quarantine()).toEqual([
      ['quarantined:thing:TIME', { reason: 'damaged', version: 1, value: { neither: true } }],
    ]);
  });

  test('that is newer is read as far as possible, and quarantined as a whole before a write', async () => {
    await put({ thing: { name: 'newer' }, thing$: { v: 2 } });
    expect(await first.read()).toEqual({ name: 'newer' });
    expect(await first.findQuarantined()).toMatchObject({ reason: 'newer', version: 2 });
    await first.update(() => ({ name: 'mine' }));
    expect(await quarantine()).toEqual([
      ['quarantined:thing:TIME', { reason: 'newer', version: 2, value: { name: 'newer' } }],
    ]);
    expect(await first.findQuarantined()).toBeUndefined();
    expect(await first.read()).toEqual({ name: 'mine' });
  });
});

describe('full storage', () => {
  test('keeps the previous value and throws a quota error', async () => {
    await first.update(() => ({ name: 'old' }));
    unlimit = limitStorage(100);
    await expect(first.update(() => ({ name: 'x'.repeat(200) }))).rejects.toThrow(
      QuotaExceededError,
    );
    expect(await first.read()).toEqual({ name: 'old' });
    await first.update(() => ({ name: 'fits' }));
    expect(await first.read()).toEqual({ name: 'fits' });
  });

  test('does not overwrite what it cannot quarantine', async () => {
    await put({ thing: 'x'.repeat(60) });
    unlimit = limitStorage(100);
    await expect(first.update(() => ({ name: 'new' }))).rejects.toThrow(QuotaExceededError);
    expect(await stored()).toEqual({ thing: 'x'.repeat(60) });
  });

  test('is distinguished from a write that fails for another reason', async () => {
    unlimit = limitStorage(100);
    onTestFinished(breakStorage());
    await expect(first.update(() => ({ name: 'new' }))).rejects.not.toBeInstanceOf(
      QuotaExceededError,
    );
  });
});
