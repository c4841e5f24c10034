import { expect, test } from 'vitest';
import { ManualTime } from '../support/manual-time.ts';
import { newFolder } from '../support/new-folder.ts';
import { addLink, newLink, ownLinkOf } from './contract.ts';
import { faultyDisk } from './support/faulty-disk.ts';
import { openFolder } from './support/folders.ts';
import { readData } from './support/read-data.ts';

test('hits of a second are one record a link, with all its hits', async () => {
  const folder = await newFolder();
  const store = await openFolder(folder);
  const [one, two] = [await addLink(store, newLink('one')), await addLink(store, newLink('two'))];
  for (let hit = 0; hit < 3; hit++) store.countHit(one.id);
  store.countHit(two.id);
  store.countHit(one.id);
  await store.close();
  const reopened = await openFolder(folder);
  reopened.countHit(one.id);
  await reopened.close();
  const { hits } = await readData(folder);
  expect(hits).toEqual([
    [one.id, 4],
    [two.id, 1],
    [one.id, 5],
  ]);
});

test('a purged link has no hits, and nothing is written if there are no others', async () => {
  const folder = await newFolder();
  const store = await openFolder(folder);
  const link = await addLink(store, newLink('one'));
  store.countHit(link.id);
  await store.purgeLink(ownLinkOf(link));
  await store.close();
  expect((await readData(folder)).hits).toEqual([]);
});

test('hits that could not be written are written later, together with new ones', async () => {
  const { openFile, faults } = faultyDisk();
  const folder = await newFolder();
  const errors: unknown[] = [];
  const time = new ManualTime();
  const onError = (error: unknown) => errors.push(error);
  const store = await openFolder(folder, { openFile, onError, time });
  const link = await addLink(store, newLink('one'));
  // Maintenance writes, too.
  await time.advance(0);
  faults.set('datasync', 'ENOSPC');
  store.countHit(link.id);
  await time.advance(1000);
  expect(errors).toHaveLength(1);
  store.countHit(link.id);
  faults.clear();
  await store.close();
  expect((await readData(folder)).hits).toEqual([[link.id, 2]]);
});
