import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { z } from 'zod';
import { eraseData } from '../../../../extension/background/messages/settings-messages.ts';
import { defineItem } from '../../../../extension/storage/define-item.ts';
import { StorageError } from '../../../../extension/storage/stored-area.ts';
import { createClient } from '../../../../shared/client.ts';
import { newQueue } from '../support/background.ts';
import { breakStorage } from '../support/browser-storage.ts';
import { useService } from '../support/service.ts';

const newService = useService();

const names = defineItem('local:names', { fallback: [], schema: () => z.array(z.string()) });
const add = (name: string) => names.update((before) => [...before, name]);
const stored = async () => (await fakeBrowser.storage.local.get()).names;

beforeEach(() => fakeBrowser.reset());

type Changes = Record<string, { newValue?: unknown }>;

/** Holds back the events of writes. @returns a function that lets the oldest ones arrive */
function holdEvents(): (count: number) => Promise<void> {
  const { onChanged } = fakeBrowser.storage.local as unknown as {
    onChanged: { trigger(changes: Changes): Promise<unknown[]> };
  };
  const { trigger } = onChanged;
  const held: Changes[] = [];
  onChanged.trigger = async (changes) => {
    held.push(changes);
    return [];
  };
  onTestFinished(() => {
    onChanged.trigger = trigger;
  });
  return async (count) => {
    for (const changes of held.splice(0, count)) await trigger(changes);
  };
}

test('nothing is read from the browser again to create a link', async () => {
  const service = newService();
  const queue = newQueue((baseUrl) => createClient({ baseUrl }));
  const create = (originalUrl: string) =>
    queue.create({ origin: service.origin, request: { originalUrl }, isPrivate: false });
  expect(await create('https://example.com/first')).toMatchObject({ ok: true });
  const { local, session } = fakeBrowser.storage;
  const reads = [vi.spyOn(local, 'get'), vi.spyOn(session, 'get')];
  onTestFinished(() => {
    for (const read of reads) read.mockRestore();
  });
  expect(await create('https://example.com/second')).toMatchObject({ ok: true });
  expect(reads.flatMap(({ mock }) => mock.calls)).toEqual([]);
});

describe('what is kept in memory', () => {
  test('is the same value as long as nothing else is stored', async () => {
    await add('one');
    const before = await names.read();
    await fakeBrowser.storage.local.set({ other: 1 });
    await fakeBrowser.storage.local.set({ names: ['one'] });
    expect(await names.read()).toBe(before);
  });

  test('follows what an earlier worker was still writing', async () => {
    await add('one');
    await fakeBrowser.storage.local.set({ names: ['one', 'two'] });
    expect(await names.read()).toEqual(['one', 'two']);
    await add('three');
    expect(await stored()).toEqual(['one', 'two', 'three']);
    await fakeBrowser.storage.local.remove('names');
    expect(await names.read()).toEqual([]);
  });

  test('is not undone by the events of own writes, which arrive later', async () => {
    await add('one');
    const arrive = holdEvents();
    await add('two');
    await names.update(() => ['one']);
    await add('three');
    for (let event = 0; event < 3; event++) {
      await arrive(1);
      expect(await names.read()).toEqual(['one', 'three']);
    }
    await fakeBrowser.storage.local.set({ names: ['other'] });
    await arrive(1);
    expect(await names.read()).toEqual(['other']);
  });

  test('does not come back when the events of a write arrive after everything was erased', async () => {
    const arrive = holdEvents();
    await add('secret');
    await eraseData();
    await arrive(1);
    expect(await names.read()).toEqual([]);
    await arrive(1);
    expect(await names.read()).toEqual([]);
    expect(await stored()).toBeUndefined();
  });

  test('is what was stored before, if a write fails', async () => {
    await add('one');
    const mend = breakStorage();
    await expect(add('two')).rejects.toThrow(StorageError);
    mend();
    expect(await names.read()).toEqual(['one']);
    // An event with the failed value is not the own write.
    await fakeBrowser.storage.local.set({ names: ['one', 'two'] });
    expect(await names.read()).toEqual(['one', 'two']);
  });
});
