import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { StoreUnavailableError } from '../../server/store/store.ts';
import { addLink, editOf, newLink } from './contract.ts';
import { faultyDisk } from './support/faulty-disk.ts';
import { isCompacting, newFolder, openUntilTestEnds } from './support/folders.ts';

test('metrics have the bytes that a compaction writes anew, and the compactions', async () => {
  const folder = await newFolder();
  const store = await openUntilTestEnds(folder, { compactAtBytes: 10_000 });
  const link = await addLink(store, newLink('edited'));
  const description = 'long '.repeat(100);
  await store.editLink(editOf(link, { description }));
  const { dataBytes, journalBytes } = store.metrics();
  expect(journalBytes).toBeGreaterThan(0);
  expect(dataBytes).toBe(journalBytes);
  let most = 0;
  for (let round = 0; store.metrics().compactions.completed === 0; round++) {
    if (round === 5000) throw new Error('no compaction has run');
    await store.editLink(editOf(link, { description: `${round} ${description}` }));
    most = Math.max(most, store.metrics().journalBytes);
    while (isCompacting(folder)) await delay(5);
  }
  expect(most).toBeGreaterThan(10_000);
  expect(store.metrics().journalBytes).toBeLessThan(most);
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
