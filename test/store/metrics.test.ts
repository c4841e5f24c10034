import { existsSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { journalPath } from '../../server/store/json-file/files/generations.ts';
import { StoreUnavailableError } from '../../server/store/store.ts';
import { newFolder } from '../support/new-folder.ts';
import { addLink, editOf, newLink } from './contract.ts';
import { faultyDisk } from './support/faulty-disk.ts';
import { openUntilTestEnds } from './support/folders.ts';

test('metrics have the bytes that a compaction writes again, and the compactions', async () => {
  const folder = await newFolder();
  const store = await openUntilTestEnds(folder, { compactAtBytes: 10_000 });
  const link = await addLink(store, newLink('edited'));
  const description = 'long '.repeat(100);
  await store.editLink(editOf(link, { description }));
  const { dataBytes, journalBytes } = store.metrics();
  expect(journalBytes).toBeGreaterThan(0);
  expect(dataBytes).toBe(journalBytes);
  while (!existsSync(journalPath(folder, 2))) await store.editLink(editOf(link, { description }));
  await store.settled();
  expect(store.metrics().compactions.completed).toBe(1);
  const { size } = statSync(journalPath(folder, 1));
  expect(size).toBeGreaterThan(10_000);
  expect(store.metrics().journalBytes).toBeLessThan(size / 2);
});

test('metrics lose no bytes of a change that a compaction outruns', async () => {
  const folder = await newFolder();
  const { openFile, holdSyncs } = faultyDisk();
  const store = await openUntilTestEnds(folder, { compactAtBytes: 10_000, openFile });
  const link = await addLink(store, newLink('edited'));
  const edit = () => store.editLink(editOf(link, { description: 'long '.repeat(100) }));
  while (store.metrics().journalBytes < 10_000) await edit();
  const release = holdSyncs();
  const lastEdit = edit();
  await expect.poll(() => store.metrics().compactions.completed).toBeGreaterThan(0);
  release();
  await lastEdit;
  const sizeOf = (generation: number) => statSync(journalPath(folder, generation)).size;
  expect(store.metrics().journalBytes).toBeGreaterThan(500);
  expect(store.metrics().journalBytes).toBeLessThan(sizeOf(2));
});

test('metrics have the writes that failed', async () => {
  const { openFile, faults } = faultyDisk();
  const store = await openUntilTestEnds(await newFolder(), { openFile });
  await addLink(store, newLink('before'));
  const { syncs } = store.metrics();
  const before = [...syncs.counts];
  faults.set('datasync', 'ENOSPC');
  await expect(store.addLink(newLink('lost'))).rejects.toThrow(StoreUnavailableError);
  faults.clear();
  expect(store.metrics()).toMatchObject({ failedWrites: 1, pendingChanges: 0 });
  expect(store.metrics().syncs.counts).toEqual(before);
});
