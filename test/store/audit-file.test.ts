import { appendFile, open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StoreUnavailableError } from '../../server/store/store.ts';
import { NOW } from './contract.ts';
import { newFolder, openUntilTestEnds } from './support/folders.ts';

const entryOf = (target: string) => ({ time: NOW, action: 'block.add', target, details: {} });

async function openWithEntries(folder: string, targets: string[]) {
  const { administration } = await openUntilTestEnds(folder);
  for (const target of targets) await administration.addAuditEntry(entryOf(target));
  const targetsOf = async () => {
    const page = await administration.listAuditEntries({ limit: 100, after: null });
    return { targets: page.entries.map(({ target }) => target), damaged: page.damagedLines };
  };
  return { administration, targetsOf, path: join(folder, 'audit.jsonl') };
}

test('an entry is a line with a checksum, on disk when the call resolves, for the owner only', async () => {
  const { path } = await openWithEntries(await newFolder(), ['host a.example']);
  const { crc, ...entry } = JSON.parse(await readFile(path, 'utf8'));
  expect(crc).toMatch(/^[\da-f]{8}$/);
  expect(entry).toEqual(entryOf('host a.example'));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('a changed line is left out and counted', async () => {
  const { path, targetsOf } = await openWithEntries(await newFolder(), ['one', 'two', 'three']);
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('"two"', '"2wo"'));
  expect(await targetsOf()).toEqual({ targets: ['three', 'one'], damaged: 1 });
});

test('a line that a crash cut off stays apart from the next one', async () => {
  const { path, administration, targetsOf } = await openWithEntries(await newFolder(), ['one']);
  await appendFile(path, '{"time":17');
  await administration.addAuditEntry(entryOf('two'));
  expect(await targetsOf()).toEqual({ targets: ['two', 'one'], damaged: 1 });
});

test('an entry that cannot be written is an error, and later ones can be', async () => {
  const folder = await newFolder();
  let isFull = true;
  const { administration } = await openUntilTestEnds(folder, {
    openFile: async (path, flags, mode) => {
      if (isFull && path.endsWith('audit.jsonl')) throw new Error('ENOSPC');
      return open(path, flags, mode);
    },
  });
  const failed = administration.addAuditEntry(entryOf('one'));
  await expect(failed).rejects.toThrow(StoreUnavailableError);
  isFull = false;
  await administration.addAuditEntry(entryOf('two'));
  const { entries } = await administration.listAuditEntries({ limit: 9, after: null });
  expect(entries.map(({ target }) => target)).toEqual(['two']);
});
