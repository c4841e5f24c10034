import { appendFile, open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InvalidPositionError } from '../../server/store/administration.ts';
import { StoreUnavailableError } from '../../server/store/store.ts';
import { newFolder } from '../support/new-folder.ts';
import { NOW } from './contract.ts';
import { openUntilTestEnds } from './support/folders.ts';

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

test.each([2, 300_000])(
  'a line cut off by a crash after %i digits stays apart from the next one',
  async (digits) => {
    const { path, administration, targetsOf } = await openWithEntries(await newFolder(), ['one']);
    await appendFile(path, `{"time":${'7'.repeat(digits)}`);
    expect(await targetsOf()).toEqual({ targets: ['one'], damaged: 1 });
    await administration.addAuditEntry(entryOf('two'));
    expect(await targetsOf()).toEqual({ targets: ['two', 'one'], damaged: 1 });
  },
);

test('pages of a long log have every entry once, whatever the length of its lines', async () => {
  const targets = Array.from({ length: 400 }, (_, index) => `${index} ${'ä'.repeat(index * 3)}`);
  targets[200] = `200 ${'x'.repeat(300_000)}`;
  const { administration, path } = await openWithEntries(await newFolder(), targets);
  expect((await stat(path)).size).toBeGreaterThan(8 * 65_536);
  const found: string[] = [];
  for (let after: string | null = null; ; ) {
    const page = await administration.listAuditEntries({ limit: 7, after });
    found.push(...page.entries.map(({ target }) => target));
    if (page.next === null) break;
    after = page.next;
  }
  expect(found.length).toBe(targets.length);
  expect(found.reverse()).toEqual(targets);
});

test('lines that are damaged between two pages are counted, and stay counted', async () => {
  const { path, administration, targetsOf } = await openWithEntries(await newFolder(), ['1', '2']);
  expect(await targetsOf()).toEqual({ targets: ['2', '1'], damaged: 0 });
  await writeFile(path, (await readFile(path, 'utf8')).replace('"1"', '"?"'));
  expect(await targetsOf()).toEqual({ targets: ['2'], damaged: 1 });
  await administration.addAuditEntry(entryOf('3'));
  expect(await targetsOf()).toEqual({ targets: ['3', '2'], damaged: 1 });
});

test('a position that no page has is an error', async () => {
  const { administration } = await openWithEntries(await newFolder(), ['one', 'two']);
  for (const after of ['x', '', '-1', '0', '1', '1.5', '9999999', '1e99']) {
    const page = administration.listAuditEntries({ limit: 1, after });
    await expect(page, after).rejects.toThrow(InvalidPositionError);
  }
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
