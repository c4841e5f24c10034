import { hash, randomBytes, randomUUID } from 'node:crypto';
import {
  appendFile,
  chmod,
  chown,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type ParsedTarEntryWithData, packTar, unpackTar } from 'modern-tar';
import { describe, expect, test } from 'vitest';
import { headerLine, readGenerations } from '../../server/store/json-file/files/generations.ts';
import { toLine } from '../../server/store/json-file/files/line-file.ts';
import { backUp } from '../../server/store/tools/backup.ts';
import { BackupError } from '../../server/store/tools/backup-error.ts';
import { checkFolder } from '../../server/store/tools/check.ts';
import { restore } from '../../server/store/tools/restore.ts';
import { newFolder } from '../support/new-folder.ts';
import { NOW, newLink } from './contract.ts';
import { compactFolder } from './support/compact-folder.ts';
import { folderWith, linksOf, openFolder, openUntilTestEnds } from './support/folders.ts';

const TIME = { now: NOW };

/** A folder with these links, and paths for a backup. */
async function folderToSave(...aliases: string[]) {
  const work = await newFolder();
  const paths = { archive: join(work, 'a.tar.gz'), target: join(work, 'data') };
  return { ...(await folderWith(...aliases)), work, ...paths };
}

async function contentOf(folder: string) {
  const names = (await readdir(folder)).filter((name) => name !== 'lock').sort();
  return Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')]));
}

async function aliasesIn(folder: string, aliases: string[]): Promise<string[]> {
  const store = await openFolder(folder);
  const links = await linksOf(store, aliases);
  await store.close();
  return links.map(({ alias }) => alias);
}

/** Rewrites an archive with other entries. */
async function repack(
  archive: string,
  change: (entries: ParsedTarEntryWithData[]) => ParsedTarEntryWithData[],
): Promise<void> {
  const entries = await unpackTar(gunzipSync(await readFile(archive)));
  await writeFile(archive, gzipSync(await packTar(change(entries))));
}

async function expectDamaged(archive: string, target: string): Promise<void> {
  await expect(restore(archive, target, TIME)).rejects.toMatchObject({
    code: 'damaged_backup',
    message: expect.stringMatching(
      /^\S+ is not a complete backup of Curt: .+\. Nothing was|^A back/,
    ),
  });
}

describe('a backup', () => {
  test('has every acknowledged link, under load and during compactions', async () => {
    const folder = await newFolder();
    const store = await openUntilTestEnds(folder, { compactAtBytes: 10_000 });
    const acknowledged: string[] = [];
    let isLoaded = true;
    const load = Promise.all(
      Array.from({ length: 8 }, async (_, worker) => {
        for (let number = 1; isLoaded; number++) {
          const keyHash = `${worker}-${number}-${randomBytes(1000).toString('hex')}`;
          const idempotency = { keyHash, bodyHash: 'body', tokenSalt: null };
          const alias = `link-${worker}-${number}`;
          await store.addLink(newLink(alias, { idempotency, quota: 1_000_000 }));
          acknowledged.push(alias);
          await delay(1);
        }
      }),
    );
    const work = await newFolder();
    const generations = new Set<number | undefined>();
    for (let round = 0; round < 8; round++) {
      const known = [...acknowledged];
      // Half of the backups begin while a compaction is running.
      while (round % 2 === 0 && readGenerations(folder).journals.length < 2) await delay(1);
      generations.add(readGenerations(folder).snapshot);
      const archive = join(work, `${round}.tar.gz`);
      const { damagedLines } = await backUp(folder, archive, TIME);
      expect(damagedLines).toEqual([]);
      const { links } = await restore(archive, join(work, `${round}`), TIME);
      expect(links).toBeGreaterThanOrEqual(known.length);
      expect(await aliasesIn(join(work, `${round}`), known)).toEqual(known);
    }
    isLoaded = false;
    await load;
    expect(generations.size).toBeGreaterThan(1);
  });

  test('is restored byte by byte, readable only by its owner', async () => {
    const { folder, archive, target } = await folderToSave('one', 'two');
    await writeFile(join(folder, 'journal.torn'), 'torn');
    await writeFile(join(folder, 'audit.jsonl'), '');
    const report = await backUp(folder, archive, TIME);
    expect((await stat(archive)).mode & 0o777).toBe(0o600);
    expect(report).toMatchObject({ file: archive, folder, bytes: (await stat(archive)).size });
    const names = ['audit.jsonl', 'journal-000001.jsonl', 'secret'];
    expect(report.files.map(({ name }) => name).sort()).toEqual(names);
    const progress: number[] = [];
    const restored = await restore(archive, target, {
      ...TIME,
      onProgress: (done, total) => progress.push(done / total),
    });
    expect(restored).toMatchObject({ links: 2, files: report.files });
    expect(restored.created).toBe(new Date(NOW).toISOString());
    expect(progress.at(-1)).toBe(1);
    const expected = (await contentOf(folder)).filter(([name = '']) => names.includes(name));
    expect(await contentOf(target)).toEqual(expected);
    expect(await checkFolder(target, NOW)).toMatchObject({ problems: [] });
  });

  test('leaves out what was never acknowledged', async () => {
    const { folder, journal, work, archive, target } = await folderToSave('one', 'two');
    const whole = (await readFile(journal)).length;
    await appendFile(journal, `{"batch":${whole},"link":{"id":"torn`);
    expect((await backUp(folder, archive, TIME)).damagedLines).toEqual([]);
    await restore(archive, target, TIME);
    expect((await readFile(join(target, 'journal-000001.jsonl'))).length).toBe(whole);
    // A failed write that could not be cut off.
    await appendFile(journal, 'something\n');
    await writeFile(join(folder, 'journal-000002.jsonl'), headerLine('journal', 2, whole));
    const second = join(work, 'b.tar.gz');
    expect((await backUp(folder, second, TIME)).damagedLines).toEqual([]);
    await restore(second, `${target}-2`, TIME);
    expect((await readFile(join(`${target}-2`, 'journal-000001.jsonl'))).length).toBe(whole);
  });

  test('of a damaged folder says so, and is not restored', async () => {
    const { folder, journal, archive, target } = await folderToSave('one', 'two');
    const text = await readFile(journal, 'utf8');
    await writeFile(journal, text.replace('"alias":"one"', '"alias":"own"'));
    const { damagedLines } = await backUp(folder, archive, TIME);
    const byte = text.indexOf('\n') + 1;
    expect(damagedLines).toEqual([{ name: 'journal-000001.jsonl', line: 2, byte }]);
    await expect(restore(archive, target, TIME)).rejects.toThrow(
      /the folder was damaged then: .*line 2/,
    );
    await expect(readdir(target)).rejects.toThrow('ENOENT');
    // Nor does it say anything about a file that is not there any more.
    const message = await restore(archive, target, TIME).catch((error) => error.message);
    expect(message).not.toContain(target);
    expect(message).toContain(`tar -xzf '${archive}'`);
  });

  test('of a folder whose last line is damaged says so, and keeps the line', async () => {
    const { folder, journal, archive, target } = await folderToSave('one', 'two');
    const text = await readFile(journal, 'utf8');
    const damaged = text.replace('"alias":"two"', '"alias":"2wo"');
    await writeFile(journal, damaged);
    const byte = text.lastIndexOf('\n', text.length - 2) + 1;
    const { damagedLines } = await backUp(folder, archive, TIME);
    expect(damagedLines).toEqual([{ name: 'journal-000001.jsonl', line: 3, byte }]);
    // A crash could have left it, so the server starts without it.
    await restore(archive, target, TIME);
    expect(await readFile(join(target, 'journal-000001.jsonl'), 'utf8')).toBe(damaged);
  });

  test('of a journal without one of its lines says so, as the check does', async () => {
    const { folder, journal, archive, work } = await folderToSave('one', 'two', 'three', 'four');
    expect((await backUp(folder, join(work, 'whole.tar.gz'), TIME)).damagedLines).toEqual([]);
    const lines = (await readFile(journal, 'utf8')).split('\n');
    await writeFile(journal, lines.toSpliced(2, 1).join('\n'));
    const byte = lines.slice(0, 2).join('\n').length + 1;
    const { damagedLines } = await backUp(folder, archive, TIME);
    expect(damagedLines).toEqual([{ name: 'journal-000001.jsonl', line: 3, byte }]);
    const { problems } = await checkFolder(folder, NOW);
    expect(problems).toMatchObject([{ kind: 'wrong_order', line: 3, byte }]);
  });

  test('of a folder with a file that is cut off says so', async () => {
    const { folder, journal, work, archive } = await folderToSave('one', 'two', 'three');
    const sealed = (await stat(journal)).size;
    await compactFolder(folder, NOW);
    const snapshot = join(folder, 'snapshot-000002.jsonl');
    const text = await readFile(snapshot);
    expect((await backUp(folder, archive, TIME)).damagedLines).toEqual([]);
    const last = text.lastIndexOf('\n', -2) + 1;
    const lengths = [0, 100, last - 30, last, text.length - 1];
    for (const [index, length] of lengths.entries()) {
      await writeFile(snapshot, text.subarray(0, length));
      const whole = text.subarray(0, length).toString().split('\n').length;
      const { damagedLines } = await backUp(folder, join(work, `${index}.tar.gz`), TIME);
      const byte = text.subarray(0, length).lastIndexOf('\n') + 1;
      expect(damagedLines).toEqual([{ name: 'snapshot-000002.jsonl', line: whole, byte }]);
      expect((await checkFolder(folder, NOW)).isHealthy).toBe(false);
    }

    await rm(snapshot);
    const next = join(folder, 'journal-000002.jsonl');
    expect(await readFile(next, 'utf8')).toContain(`"previousBytes":${sealed}`);
    const name = 'journal-000001.jsonl';
    expect((await backUp(folder, join(work, 'whole.tar.gz'), TIME)).damagedLines).toEqual([]);
    await truncate(journal, sealed - 30);
    const short = await backUp(folder, join(work, 'short.tar.gz'), TIME);
    expect(short.damagedLines).toMatchObject([{ name, line: 4 }]);
    await truncate(journal, 0);
    const empty = await backUp(folder, join(work, 'empty.tar.gz'), TIME);
    expect(empty.damagedLines).toEqual([{ name, line: 1, byte: 0 }]);
    await rm(next);
    const only = await backUp(folder, join(work, 'only.tar.gz'), TIME);
    expect(only.damagedLines).toEqual([{ name, line: 1, byte: 0 }]);
  });

  test('replaces no file, and needs data', async () => {
    const { folder, work, archive } = await folderToSave('one');
    await writeFile(archive, 'mine');
    await expect(backUp(folder, archive, TIME)).rejects.toMatchObject({ code: 'already_exists' });
    expect(await readFile(archive, 'utf8')).toBe('mine');
    const nothing = backUp(work, join(work, 'b.tar.gz'), TIME);
    await expect(nothing).rejects.toMatchObject({ code: 'no_data' });
    await writeFile(join(folder, 'journal-000003.jsonl'), headerLine('journal', 3, 0));
    await expect(backUp(folder, join(work, 'c.tar.gz'), TIME)).rejects.toThrow(/journal-000002/);
    expect(await readdir(work)).toEqual(['a.tar.gz']);
  });
});

describe('restoring a backup', () => {
  test('fails and leaves nothing if the archive is cut off or changed anywhere', async () => {
    const { folder, work, archive, target } = await folderToSave('one');
    await backUp(folder, archive, TIME);
    const bytes = await readFile(archive);
    const other = join(work, 'other.tar.gz');
    for (let length = 0; length < bytes.length; length += 13) {
      await writeFile(other, bytes.subarray(0, length));
      await expectDamaged(other, target);
    }
    let intact = 0;
    for (let position = 0; position < bytes.length; position += 7) {
      const changed = Buffer.from(bytes);
      changed[position] = (changed[position] ?? 0) ^ 0x10;
      await writeFile(other, changed);
      const copy = `${target}-${position}`;
      const error = await restore(other, copy, TIME).catch((caught: unknown) => caught);
      if (error instanceof BackupError) continue;
      // A few bytes mean nothing, such as the time in the header.
      intact++;
      expect(await contentOf(copy)).toEqual(await contentOf(folder));
    }
    expect(intact).toBeLessThan(bytes.length / 7 / 4);
    const names = (await readdir(work)).filter((name) => !name.startsWith('data-'));
    expect(names.sort()).toEqual(['a.tar.gz', 'other.tar.gz']);
  });

  test('fails if a file is missing, added, changed or elsewhere', async () => {
    const { folder, archive, target } = await folderToSave('one');
    await backUp(folder, archive, TIME);
    const original = await readFile(archive);
    const changes: ((entries: ParsedTarEntryWithData[]) => ParsedTarEntryWithData[])[] = [
      (entries) => entries.slice(1),
      (entries) => entries.slice(0, -1),
      (entries) => entries.toReversed(),
      ([first, ...rest]) => [
        { header: { name: 'journal-000002.jsonl', size: 0 } },
        ...rest,
        ...(first ? [first] : []),
      ],
      (entries) =>
        entries.map(({ header, data }) =>
          header.name === 'secret'
            ? { header, data: new Uint8Array(data?.map((byte) => byte ^ 1) ?? []) }
            : { header, ...(data && { data }) },
        ),
      (entries) => [{ header: { name: '../outside', size: 0 } }, ...entries],
      (entries) => [
        { header: { name: 'secret', size: 0, type: 'symlink', linkname: '/etc/passwd' } },
        ...entries,
      ],
    ];
    for (const change of changes) {
      await writeFile(archive, original);
      await repack(archive, change);
      await expectDamaged(archive, target);
      expect(await readdir(join(target, '..'))).toEqual(['a.tar.gz']);
    }
    // Rewriting it without a change does no harm.
    await writeFile(archive, original);
    await repack(archive, (entries) => entries);
    expect(await restore(archive, target, TIME)).toMatchObject({ links: 1 });
  });

  test.each(['journal-000001.jsonl', 'backup.json'])(
    'is refused if a newer version of Curt has made it, as %s says',
    async (newer) => {
      const { folder, archive, target } = await folderToSave('one');
      await backUp(folder, archive, TIME);
      const toNewer = (text: string) => {
        const { crc: _, ...line } = JSON.parse(text);
        return toLine({ ...line, version: 2, by: '1.7.0' });
      };
      await repack(archive, (entries) => {
        const texts = new Map(
          entries.map(({ header, data }) => [header.name, Buffer.from(data ?? []).toString()]),
        );
        const [first = '', ...lines] = (texts.get(newer) ?? '').split('\n');
        texts.set(newer, toNewer(first) + lines.join('\n'));
        const { crc: _, ...manifest } = JSON.parse(texts.get('backup.json') ?? '');
        for (const file of manifest.files) {
          const text = texts.get(file.name) ?? '';
          Object.assign(file, { bytes: Buffer.byteLength(text), sha256: hash('sha256', text) });
        }
        texts.set('backup.json', toLine(manifest));
        return [...texts].map(([name, text]) => {
          return { header: { name, size: Buffer.byteLength(text) }, data: Buffer.from(text) };
        });
      });
      const error = await restore(archive, target, TIME).catch((each) => each);
      expect(error).toMatchObject({ code: 'newer_version' });
      expect(error.message).toMatch(
        /^\S+ cannot be restored with Curt \S+\. It.* Curt 1\.7\.0[.,].* Nothing was restored\. Use that version/,
      );
      expect(await readdir(join(target, '..'))).toEqual(['a.tar.gz']);
    },
  );

  test('refuses a folder with content, and fills an empty one for its owner', async () => {
    const { folder, work, archive, target } = await folderToSave('one');
    await backUp(folder, archive, TIME);
    await mkdir(target);
    await writeFile(join(target, 'mine'), '');
    await expect(restore(archive, target, TIME)).rejects.toMatchObject({ code: 'already_exists' });
    expect(await readdir(target)).toEqual(['mine']);

    const empty = `${target}-empty`;
    await mkdir(join(empty, 'lost+found'), { recursive: true });
    // A command that was killed has left them.
    const leftOver = join(empty, `.new.${randomUUID()}`);
    await mkdir(leftOver);
    await writeFile(join(empty, 'lock'), '');
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) {
      await chmod(work, 0o755);
      for (const path of [empty, leftOver, join(empty, 'lock')]) await chown(path, 12_345, 12_345);
    }
    await restore(archive, empty, TIME);
    expect(process.geteuid?.()).toBe(isRoot ? 0 : process.getuid?.());
    const names = ['journal-000001.jsonl', 'lock', 'lost+found', 'secret'];
    expect((await readdir(empty)).sort()).toEqual(names);
    expect(await aliasesIn(empty, ['one'])).toEqual(['one']);
    const owner = isRoot ? 12_345 : process.geteuid?.();
    expect((await stat(join(empty, 'secret'))).uid).toBe(owner);
    expect((await stat(join(empty, 'lock'))).uid).toBe(owner);
  });

  test('leaves an empty folder empty if it fails', async () => {
    const { folder, journal, work, archive, target } = await folderToSave('one', 'two');
    await mkdir(target);
    const missing = restore(join(work, 'none.tar.gz'), target, TIME);
    await expect(missing).rejects.toMatchObject({ code: 'no_backup' });
    expect(await readdir(target)).toEqual([]);
    const text = await readFile(journal, 'utf8');
    await writeFile(journal, text.replace('"alias":"one"', '"alias":"own"'));
    await backUp(folder, archive, TIME);
    await expect(restore(archive, target, TIME)).rejects.toThrow('damaged');
    expect(await readdir(target)).toEqual([]);
  });
});
