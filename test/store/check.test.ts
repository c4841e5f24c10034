import { execFileSync } from 'node:child_process';
import { chmod, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { headerLine, readGenerations } from '../../server/store/json-file/files/generations.ts';
import { backUp } from '../../server/store/tools/backup.ts';
import { assertData } from '../../server/store/tools/backup-error.ts';
import { checkFolder } from '../../server/store/tools/check.ts';
import { newFolder } from '../support/new-folder.ts';
import { NOW, newLink } from './contract.ts';
import { compactFolder } from './support/compact-folder.ts';
import { folderWith, openFolder, openUntilTestEnds } from './support/folders.ts';

/** Names, contents and times of change. */
async function contentOf(folder: string) {
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name) => {
      const { mtimeMs, mode, ino } = await stat(join(folder, name));
      return { name, mtimeMs, mode, ino, bytes: await readFile(join(folder, name), 'base64') };
    }),
  );
}

/** Flips a bit at these positions. */
async function flip(path: string, ...positions: number[]): Promise<void> {
  const bytes = await readFile(path);
  for (const position of positions) bytes[position] = (bytes[position] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

const summaryOf = async (folder: string) => {
  const { problems } = await checkFolder(folder, NOW);
  return problems.map(({ severity, kind, path, line, byte }) => {
    return [severity, kind, path.slice(folder.length + 1), line, byte];
  });
};

describe('a check of a data folder', () => {
  test('finds nothing in the folder of a stopped server, and changes nothing', async () => {
    const { folder } = await folderWith('one', 'two');
    const before = await contentOf(folder);
    expect(await checkFolder(folder, NOW)).toEqual({
      folder,
      isHealthy: true,
      inUse: false,
      format: 1,
      formatOfServer: 1,
      links: 2,
      files: [
        { name: 'journal-000001.jsonl', bytes: expect.any(Number) },
        { name: 'lock', bytes: 0 },
        { name: 'secret', bytes: 44 },
      ],
      problems: [],
      omittedProblems: 0,
    });
    expect(await contentOf(folder)).toEqual(before);
  });

  test('works while a server uses the folder, whose unfinished batch is no problem', async () => {
    const { folder, journal } = await folderWith();
    const store = await openUntilTestEnds(folder);
    await store.addLink(newLink('one'));
    const bytes = await readFile(journal);
    await writeFile(journal, Buffer.concat([bytes, Buffer.from('{"batch":')]));
    const report = await checkFolder(folder, NOW);
    expect(report).toMatchObject({ inUse: true, isHealthy: true, links: 1, problems: [] });
    await writeFile(journal, bytes);
  });

  test('names every damaged line with its position', async () => {
    const { folder, journal } = await folderWith('one', 'two', 'three', 'four', 'five');
    const lines = (await readFile(journal, 'utf8')).split('\n');
    const starts = lines.map((_, index) => lines.slice(0, index).join('\n').length + 1);
    await flip(journal, (starts[1] ?? 0) + 50, (starts[3] ?? 0) + 50, (starts[5] ?? 0) + 50);
    expect(await summaryOf(folder)).toEqual([
      ['damage', 'damaged_line', 'journal-000001.jsonl', 2, starts[1]],
      ['damage', 'damaged_line', 'journal-000001.jsonl', 4, starts[3]],
      ['warning', 'torn_batch', 'journal-000001.jsonl', 6, starts[5]],
    ]);
  });

  test('reports one problem for a missing line, whatever comes after it', async () => {
    const { folder, journal } = await folderWith('one', 'two', 'three', 'four');
    const lines = (await readFile(journal, 'utf8')).split('\n');
    await writeFile(journal, lines.toSpliced(2, 1).join('\n'));
    expect(await summaryOf(folder)).toEqual([
      ['damage', 'wrong_order', 'journal-000001.jsonl', 3, lines.slice(0, 2).join('\n').length + 1],
    ]);
  });

  test('reports missing journals and a missing secret', async () => {
    const { folder } = await folderWith('one');
    await writeFile(join(folder, 'journal-000004.jsonl'), headerLine('journal', 4, 0), {
      mode: 0o600,
    });
    await rm(join(folder, 'secret'));
    expect(await summaryOf(folder)).toEqual([
      ['damage', 'missing_file', 'journal-000002.jsonl', null, null],
      ['damage', 'missing_file', 'journal-000003.jsonl', null, null],
      ['warning', 'missing_secret', 'secret', null, null],
    ]);
  });

  test('reports a wrong secret, and so does the backup', async () => {
    const { folder } = await folderWith('one');
    await writeFile(join(folder, 'secret'), 'short');
    expect(await summaryOf(folder)).toEqual([['damage', 'wrong_secret', 'secret', null, null]]);
    const { damagedLines } = await backUp(folder, join(await newFolder(), 'a.tar.gz'), {
      now: NOW,
    });
    expect(damagedLines).toEqual([{ name: 'secret', line: 1, byte: 0 }]);
  });

  test('reports a missing secret as damage if people sign in, and the server does not start', async () => {
    const { folder } = await folderWith('one');
    const store = await openFolder(folder);
    const account = { id: 'account-9', tokenHash: '', name: 'Ada', identityHash: 'hash' };
    await store.addAccount({ ...account, created: NOW });
    await store.close();
    expect(await summaryOf(folder)).toEqual([]);
    const secret = join(folder, 'secret');
    await rm(secret);
    expect(await summaryOf(folder)).toEqual([['damage', 'missing_secret', 'secret', null, null]]);
    const opened = await openUntilTestEnds(folder);
    await expect(opened.secret()).rejects.toThrow(`${secret} is missing. Restore it from a backup`);
    expect(await readdir(folder)).not.toContain('secret');
    const { damagedLines } = await backUp(folder, join(await newFolder(), 'a.tar.gz'), {
      now: NOW,
    });
    expect(damagedLines).toEqual([{ name: 'secret', line: 1, byte: 0 }]);

    const { problems } = await checkFolder(folder, NOW);
    const [, command = ''] = /account: (.+)$/.exec(problems[0]?.repair ?? '') ?? [];
    execFileSync('sh', ['-c', command]);
    expect((await opened.secret()).length).toBe(32);
    expect(await summaryOf(folder)).toEqual([]);
  });

  test('reports a lock of another kind, and files that others can read', async () => {
    const { folder, journal } = await folderWith('one');
    await writeFile(join(folder, 'lock'), 'not a database'.repeat(100));
    await chmod(journal, 0o644);
    expect(await summaryOf(folder)).toEqual([
      ['damage', 'wrong_lock', 'lock', null, null],
      ['warning', 'open_permissions', 'journal-000001.jsonl', null, null],
    ]);
  });

  test('says whose command it is if this user can list the folder, and not read its files', async () => {
    const { folder, journal } = await folderWith('one');
    await chmod(folder, 0o755);
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(12_345);
    else await chmod(journal, 0);
    try {
      expect(() => assertData(folder)).toThrow(
        `${journal} cannot be read by this user. Run the command as the user of the server`,
      );
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  test('reports damage in the previous generation as a warning', async () => {
    const { folder, journal } = await folderWith('one', 'two');
    await compactFolder(folder, NOW);
    expect(readGenerations(folder).previous).toEqual(['journal-000001.jsonl']);
    expect(await summaryOf(folder)).toEqual([]);
    await flip(journal, 200);
    expect(await summaryOf(folder)).toEqual([
      ['warning', 'damaged_line', 'journal-000001.jsonl', 2, expect.any(Number)],
    ]);
  });

  test('reports a file that is shorter than the next one says', async () => {
    const { folder, journal } = await folderWith('one', 'two');
    const { size } = await stat(journal);
    await writeFile(join(folder, 'journal-000002.jsonl'), headerLine('journal', 2, size), {
      mode: 0o600,
    });
    expect(await summaryOf(folder)).toEqual([]);
    await truncate(journal, size - 1);
    expect(await summaryOf(folder)).toEqual([
      ['damage', 'incomplete_file', 'journal-000001.jsonl', 3, expect.any(Number)],
    ]);
  });

  test('reports a snapshot that lacks a line, which the server does not start from', async () => {
    const { folder } = await folderWith('one', 'two', 'three');
    await compactFolder(folder, NOW);
    const snapshot = join(folder, 'snapshot-000002.jsonl');
    const lines = (await readFile(snapshot, 'utf8')).split('\n');
    const shorter = lines.toSpliced(1, 1).join('\n');
    await writeFile(snapshot, shorter);
    expect(await summaryOf(folder)).toEqual([
      ['damage', 'incomplete_file', 'snapshot-000002.jsonl', lines.length - 1, shorter.length],
    ]);
    await expect(openFolder(folder)).rejects.toThrow(
      `${snapshot} is incomplete: it should have ${lines.length - 1} lines.`,
    );
  });

  test('reports damaged lines of the audit log as warnings', async () => {
    const { folder } = await folderWith('one');
    const store = await openFolder(folder);
    for (const target of ['a', 'b', 'c']) {
      const entry = { time: NOW, action: 'account.create', target, details: {} };
      await store.administration.addAuditEntry(entry);
    }
    await store.close();
    const audit = join(folder, 'audit.jsonl');
    expect(await summaryOf(folder)).toEqual([]);
    const [first = '', second = '', third = ''] = (await readFile(audit, 'utf8')).split('\n');
    await writeFile(audit, `${first}\n${second.slice(0, -5)}\n\n${third.slice(0, 9)}`);
    expect(await summaryOf(folder)).toEqual([
      ['warning', 'damaged_audit', 'audit.jsonl', 2, first.length + 1],
      ['warning', 'damaged_audit', 'audit.jsonl', 4, first.length + second.length - 5 + 3],
    ]);
    const archive = join(await newFolder(), 'a.tar.gz');
    const { damagedLines, damagedAuditLines } = await backUp(folder, archive, { now: NOW });
    expect([damagedLines, damagedAuditLines]).toEqual([[], 1]);
    // A server that uses the folder may be writing the last line.
    await openUntilTestEnds(folder);
    expect((await checkFolder(folder, NOW)).problems).toMatchObject([{ line: 2 }]);
  });

  test('omits problems after the first hundred', async () => {
    const { folder, journal } = await folderWith(...Array.from({ length: 103 }, (_, n) => `n${n}`));
    const lines = (await readFile(journal, 'utf8')).split('\n');
    const damaged = lines.map((line, index) => (index === 0 ? line : line.replace('{', '[')));
    // The last one proves that the lines before it were on disk.
    await writeFile(journal, [...damaged.slice(0, 103), ...lines.slice(103)].join('\n'));
    const report = await checkFolder(folder, NOW);
    expect(report.problems).toHaveLength(100);
    expect(report.omittedProblems).toBe(2);
  });

  test('fails with a message if there is no folder', async () => {
    const folder = join(await newFolder(), 'nowhere');
    await expect(checkFolder(folder, NOW)).rejects.toThrow(
      `${folder} does not exist. Name the data folder`,
    );
  });
});
