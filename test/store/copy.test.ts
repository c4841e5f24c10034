import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CopyRecord } from '../../server/store/copy-record.ts';
import { CopyDigest, copyStore } from '../../server/store/tools/copy.ts';
import { openFolderSource } from '../../server/store/tools/folder-copy.ts';
import { NewFolder } from '../../server/store/tools/new-folder.ts';
import { copyReleasedFolder } from '../fixtures/formats/released.ts';
import { newFolder } from '../support/new-folder.ts';
import { addLink, editOf, NOW, newKey, newLink } from './contract.ts';
import { openFolder, openUntilTestEnds } from './support/folders.ts';

function copyFolder(from: string, to: string, onProgress = (_done: number) => {}) {
  return copyStore(`file:${from}`, `file:${to}`, { now: NOW, onProgress });
}

/** A folder with everything that a store can have, half of it in a snapshot. */
async function fullFolder(): Promise<string> {
  return copyReleasedFolder('1.0', join(await newFolder(), 'data'));
}

async function recordsOf(folder: string): Promise<CopyRecord[]> {
  const source = openFolderSource(folder, NOW);
  const records: CopyRecord[] = [];
  for await (const batch of source.records()) records.push(...batch);
  await source.close();
  return records;
}

describe('a copy of a data folder', () => {
  test('has everything, and the store that opens it returns the same', async () => {
    const from = await fullFolder();
    const to = join(await newFolder(), 'copy');
    const done: number[] = [];
    const report = await copyFolder(from, to, (each) => done.push(each));
    expect(await recordsOf(to)).toEqual(await recordsOf(from));
    expect(report).toMatchObject({ links: 4, accounts: 3 });
    expect(done).toEqual([...done].sort((a, b) => a - b));
    const copy = await openUntilTestEnds(to);
    await addLink(copy, newLink('later'));
    expect(await copy.findLink('FALL-26')).toMatchObject({ alias: 'Herbst-26', hits: 17 });
  });

  test('returns an edited link as it was created to a retry with its key', async () => {
    const [from, to] = [await newFolder(), await newFolder()];
    const store = await openFolder(from);
    const key = newKey();
    const link = await addLink(store, newLink('one', { idempotency: key }));
    await store.editLink(editOf(link, { title: 'edited' }));
    await store.close();
    await copyFolder(from, to);
    const copy = await openUntilTestEnds(to);
    expect((await copy.findReplay(key.keyHash, NOW))?.link).toEqual(link);
    expect(await copy.findLink('one')).toMatchObject({ title: 'edited' });
  });

  test('is not made of a folder that a server uses, that has no data or that is missing', async () => {
    const [used, empty] = [await newFolder(), await newFolder()];
    const store = await openUntilTestEnds(used);
    await addLink(store, newLink('one'));
    const to = join(await newFolder(), 'copy');
    await expect(copyFolder(used, to)).rejects.toThrow(/Another Curt server is using/);
    await expect(copyFolder(empty, to)).rejects.toThrow(`${empty} has no data of Curt.`);
    await expect(copyFolder(join(empty, 'no'), to)).rejects.toThrow(/no does not exist/);
    expect(await readdir(join(to, '..'))).toEqual([]);
  });

  test('is not made without the secret if people sign in, who would lose their accounts', async () => {
    const [from, parent] = [await fullFolder(), await newFolder()];
    await rm(join(from, 'secret'));
    await expect(copyFolder(from, join(parent, 'copy'))).rejects.toThrow(
      `${join(from, 'secret')} is missing. Restore it from a backup`,
    );
    expect(await readdir(parent)).toEqual([]);
  });

  test('never changes a folder that has something in it', async () => {
    const [from, to] = [await fullFolder(), await newFolder()];
    await writeFile(join(to, 'notes.txt'), 'mine');
    await expect(copyFolder(from, to)).rejects.toThrow(`${to} is not empty. Choose a new folder.`);
    expect(await readdir(to)).toEqual(['notes.txt']);
  });

  test('leaves nothing behind when it is interrupted', async () => {
    const from = await fullFolder();
    const parent = await newFolder();
    const interrupt = () => {
      throw new Error('interrupted');
    };
    await expect(copyFolder(from, join(parent, 'copy'), interrupt)).rejects.toThrow('interrupted');
    expect(await readdir(parent)).toEqual([]);
  });
});

test('a new folder keeps its lock once it has content, since a server may be about to take it', async () => {
  const path = join(await newFolder(), 'new');
  const folder = new NewFolder(path);
  await writeFile(join(folder.temporary, 'secret'), '');
  await folder.complete();
  folder.close();
  expect((await readdir(path)).sort()).toEqual(['lock', 'secret']);
});

describe('the digest of a copy', () => {
  test('does not depend on the order, and changes with every record', async () => {
    const records = await recordsOf(await fullFolder());
    const digestOf = (all: CopyRecord[]) => {
      const digest = new CopyDigest();
      for (const record of all) digest.add(record);
      return digest.text;
    };
    const whole = digestOf(records);
    expect(digestOf([...records].reverse())).toBe(whole);
    const kinds = new Set(records.map(([kind]) => kind));
    expect([...kinds].sort()).toEqual([
      'account',
      'alias',
      'audit',
      'block',
      'day',
      'domain',
      'history',
      'idempotencyKey',
      'link',
      'quota',
      'report',
      'secret',
      'token',
      'uptime',
    ]);
    for (const index of records.keys()) {
      expect(digestOf(records.toSpliced(index, 1))).not.toBe(whole);
    }
  });

  test('changes with a single hit', async () => {
    const folder = await newFolder();
    const store = await openFolder(folder);
    const link = await addLink(store, newLink('one'));
    await store.close();
    const before = await recordsOf(folder);
    const reopened = await openFolder(folder);
    reopened.countHit(link.id);
    await reopened.close();
    const [digest, later] = [new CopyDigest(), new CopyDigest()];
    for (const record of before) digest.add(record);
    for (const record of await recordsOf(folder)) later.add(record);
    expect(later.text).not.toBe(digest.text);
  });
});
