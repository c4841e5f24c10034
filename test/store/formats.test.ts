import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LineUpgrade } from '../../server/store/json-file/files/formats.ts';
import { headerLine, journalPath } from '../../server/store/json-file/files/generations.ts';
import { backUp } from '../../server/store/tools/backup.ts';
import { checkFolder } from '../../server/store/tools/check.ts';
import { copyStore } from '../../server/store/tools/copy.ts';
import { newFolder } from '../support/new-folder.ts';
import { addLink, NOW, newLink } from './contract.ts';
import { faultyDisk } from './support/faulty-disk.ts';
import { folderWith, openFolder } from './support/folders.ts';

/** Not harmless if it is repeated. */
const addMark: LineUpgrade = ({ records, ...line }) => ({
  ...line,
  ...(records && {
    records: records.map(([kind, key, value]) => {
      const link = value as { title?: string };
      return [kind, key, kind === 'link' ? { ...link, title: `${link.title ?? ''}+` } : value];
    }),
  }),
});
const upgrades = [addMark];

async function contentOf(folder: string): Promise<[name: string, content: string][]> {
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name) => [name, await readFile(join(folder, name), 'base64')]),
  );
}

async function titlesIn(folder: string, options = {}): Promise<(string | undefined)[]> {
  const store = await openFolder(folder, options);
  const links = await Promise.all(['one', 'two', 'later'].map((alias) => store.findLink(alias)));
  await store.close();
  return links.map((link) => link?.title);
}

/** As a newer version leaves it. Restored from a copy, it has no lock. */
async function newerFolder(): Promise<string> {
  const { folder } = await folderWith('one');
  const header = headerLine('journal', 2, 0).replace('"version":1', '"version":2');
  await writeFile(journalPath(folder, 2), header.replace(/"by":"[^"]*"/, '"by":"1.7.0"'));
  await rm(join(folder, 'lock'));
  return folder;
}

describe('a folder of a newer format', () => {
  test.each<[string, (folder: string, other: string) => Promise<unknown>]>([
    ['a server', (folder) => openFolder(folder)],
    ['curt check', (folder) => checkFolder(folder, NOW)],
    ['curt backup', (folder, other) => backUp(folder, join(other, 'a.tar.gz'), { now: NOW })],
    [
      'curt copy',
      (folder, other) => copyStore(`file:${folder}`, `file:${other}/copy`, { now: NOW }),
    ],
  ])('is refused by %s with a sentence, before anything is written', async (_, use) => {
    const [folder, other] = [await newerFolder(), await newFolder()];
    const before = await contentOf(folder);
    await expect(use(folder, other)).rejects.toThrow(
      /journal-000002\.jsonl was written by Curt 1\.7\.0, in format 2\. This is Curt .*\nNothing was changed\. Start that version/,
    );
    expect(await contentOf(folder)).toEqual(before);
    expect(await readdir(other)).toEqual([]);
  });
});

describe('a folder of an earlier format', () => {
  test('is upgraded once as it is read, and stays readable after restarts and compactions', async () => {
    const { folder } = await folderWith('one', 'two');
    expect(await titlesIn(folder)).toEqual(['', '', undefined]);
    const store = await openFolder(folder, { upgrades, compactAtBytes: 1 });
    expect((await store.findLink('one'))?.title).toBe('+');
    await addLink(store, newLink('later', { link: { title: 'new' } }));
    await store.settled();
    await store.close();
    for (let restart = 0; restart < 2; restart++) {
      expect(await titlesIn(folder, { upgrades })).toEqual(['+', '+', 'new']);
    }
    await expect(openFolder(folder)).rejects.toThrow(/in format 2\. This is Curt/);
  });

  test.each(['open', 'sync'] as const)(
    'stays as it was if the upgrade fails at the first %s, and is upgraded at the next start',
    async (operation) => {
      const { folder } = await folderWith('one', 'two');
      const before = await contentOf(folder);
      const { openFile, faults } = faultyDisk();
      faults.set(operation, 'ENOSPC');
      await expect(openFolder(folder, { upgrades, openFile })).rejects.toThrow(/disk is full/);
      expect(await contentOf(folder)).toEqual(before);
      expect(await titlesIn(folder)).toEqual(['', '', undefined]);
      expect(await titlesIn(folder, { upgrades })).toEqual(['+', '+', undefined]);
    },
  );

  test('is upgraded after a crash at any moment of it', async () => {
    const { folder } = await folderWith('one', 'two');
    const next = journalPath(folder, 2);
    await writeFile(`${next}.tmp`, '{"curt":"jour');
    expect(await titlesIn(folder, { upgrades })).toEqual(['+', '+', undefined]);
    // The first journal of the new format is there, and has no line yet.
    expect(await titlesIn(folder, { upgrades })).toEqual(['+', '+', undefined]);
  });
});
