import { execFileSync } from 'node:child_process';
import { appendFile, cp, readdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { headerLine } from '../../server/store/json-file/files/generations.ts';
import { toLine } from '../../server/store/json-file/files/line-file.ts';
import type { Link } from '../../server/store/link.ts';
import { StoreOpenError } from '../../server/store/store.ts';
import { checkFolder } from '../../server/store/tools/check.ts';
import { newFolder } from '../support/new-folder.ts';
import { NOW } from './contract.ts';
import { folderWith, linksOf, openFolder } from './support/folders.ts';

/** Opening a store mostly waits for the disk. */
const COPIES = 8;
const MASKS = [0x01, 0x20, 0xff];
/** Prime to the number of masks. */
const CHECKED_ONE_IN = 4;
const ALIASES = ['one', 'two', 'three', 'four'];

/**
 * Opens and closes the store; returns its links and warnings. `curt check` must have said before whether
 * the folder opens and with a warning.
 *
 * @param isChecked false to save time
 */
async function open(folder: string, isChecked = true) {
  const report = isChecked ? await checkFolder(folder, NOW) : undefined;
  const warnings: string[] = [];
  const store = await openFolder(folder, {
    onWarning: (message) => warnings.push(message),
  }).catch((error: unknown) => {
    if (report) expect(report).toMatchObject({ isHealthy: false });
    throw error;
  });
  if (report) {
    expect(report).toMatchObject({ isHealthy: true });
    const isTorn = report.problems.some(({ kind }) => kind === 'torn_batch');
    expect(isTorn).toBe(warnings.length > 0);
  }
  const links = await linksOf(store, ALIASES);
  await store.close();
  return { links, aliases: links.map(({ alias }) => alias), warnings };
}

/** Runs the check for each position up to `end`, in several copies of the folder at once. */
async function forEachPosition(
  { folder, first, end }: { folder: string; first: number; end: number },
  check: (copy: { folder: string; journal: string }, position: number) => Promise<void>,
): Promise<void> {
  let next = first;
  const runInCopy = async () => {
    const copy = await newFolder();
    await cp(folder, copy, { recursive: true });
    const journal = join(copy, 'journal-000001.jsonl');
    for (let position = next++; position <= end; position = next++) {
      await check({ folder: copy, journal }, position);
    }
  };
  await Promise.all(Array.from({ length: COPIES }, runInCopy));
}

/** Opens the store with each byte flipped in one of several ways: it fails to open, or has these links and a warning. */
async function flipEachByte(
  { folder, journal, first }: { folder: string; journal: string; first: number },
  links: Link[],
): Promise<void> {
  const bytes = await readFile(journal);
  await forEachPosition({ folder, first, end: bytes.length - 1 }, async (copy, position) => {
    const flipped = Buffer.from(bytes);
    flipped[position] = (bytes[position] ?? 0) ^ (MASKS[position % MASKS.length] ?? 0);
    await writeFile(copy.journal, flipped);
    const isChecked = position % CHECKED_ONE_IN === 0;
    const opened = await open(copy.folder, isChecked).catch((error: unknown) => error);
    if (opened instanceof Error) {
      expect(opened).toBeInstanceOf(StoreOpenError);
      expect(flipped.equals(await readFile(copy.journal))).toBe(true);
    } else {
      // In the last batch only: as if it had been torn.
      expect(opened).toMatchObject({ links, warnings: [expect.any(String)] });
    }
  });
}

/** Always changes the line, whatever the byte was. */
function flipBit(line: Buffer | undefined, offset: number): void {
  if (line) line[offset] = (line[offset] ?? 0) ^ 1;
}

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf('\n', start) + 1;
    lines.push(bytes.subarray(start, end));
    start = end;
  }
  return lines;
}

describe('the journal', () => {
  test('consists of readable JSON lines, the first one with the version', async () => {
    const { journal } = await folderWith(['one']);
    const lines = (await readFile(journal, 'utf8')).trimEnd().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      curt: 'journal',
      version: 1,
      generation: 1,
    });
    expect(JSON.parse(lines[1] ?? '').records).toMatchObject([
      ['link', expect.any(String), { alias: 'one', originalUrl: 'https://example.com/page' }],
      ['quota', expect.stringMatching(/^account-1 \d+$/), 1],
    ]);
    expect(lines).toHaveLength(2);
  });

  test('writes simultaneous calls in one batch, and each line has the position of its batch', async () => {
    const { journal } = await folderWith(['one'], ['two', 'three'], ['four']);
    const lines = linesOf(await readFile(journal));
    const starts = lines.map((_, index) => Buffer.concat(lines.slice(0, index)).length);
    const batches = lines.slice(1).map((line) => JSON.parse(line.toString()).batch);
    expect(batches).toEqual([starts[1], starts[2], starts[2], starts[4]]);
  });

  test('opens with exactly the complete lines if it is cut off at any point', async () => {
    const { folder, journal } = await folderWith(['one'], ['two', 'three']);
    const bytes = await readFile(journal);
    const lines = linesOf(bytes);
    const firstCut = Buffer.concat(lines.slice(0, -2)).length;
    const cuts = { folder, first: firstCut, end: bytes.length };
    await forEachPosition(cuts, async (copy, length) => {
      await writeFile(copy.journal, bytes.subarray(0, length));
      const whole = linesOf(bytes).filter((_, index) => {
        return Buffer.concat(lines.slice(0, index + 1)).length <= length;
      });
      const { aliases, warnings } = await open(copy.folder);
      expect(aliases).toEqual(ALIASES.slice(0, whole.length - 1));
      const isTorn = Buffer.concat(whole).length < length;
      expect(warnings).toEqual(isTorn ? [expect.stringContaining('journal.torn')] : []);
      // From now on it opens without a warning.
      expect((await open(copy.folder)).warnings).toEqual([]);
    });
  });

  test.each(['"edit":{"id":"nobody","alias":"two"}', '"records":[["unknown","key",{}]]'])(
    'of a development version fails to open, with what to do: %s',
    async (members) => {
      const { folder, journal } = await folderWith(['one']);
      const { length } = await readFile(journal);
      await appendFile(journal, toLine(JSON.parse(`{"batch":${length},${members}}`)));
      const error = await open(folder).catch((reason) => reason);
      expect(error.message).toContain(`${journal}, line 3, was written by another version of Curt`);
      expect(error.message).toMatch(/Nothing is damaged.*curt export.* into a new folder/s);
      expect(error.message).not.toContain('backup');
    },
  );

  test('never shows a wrong link if a byte is flipped: it fails to open or warns', async () => {
    const { folder, journal } = await folderWith(['one'], ['two', 'three'], ['four']);
    const { links } = await open(folder);
    await flipEachByte({ folder, journal, first: 0 }, links.slice(0, 3));
  });

  test('keeps the complete lines of a last batch that was torn in its middle', async () => {
    const { folder, journal } = await folderWith(['one'], ['two', 'three', 'four']);
    const bytes = await readFile(journal);
    const lines = linesOf(bytes);
    // A page that never reached the disk reads as zeros.
    const torn = Buffer.concat([
      ...lines.slice(0, 3),
      Buffer.alloc(lines[3]?.length ?? 0),
      lines[4] ?? Buffer.of(),
    ]);
    await writeFile(journal, torn);
    const { aliases, warnings } = await open(folder);
    expect(aliases).toEqual(['one', 'two']);
    expect(warnings).toEqual([
      `journal-000001.jsonl ends with an incomplete batch after a crash. It was never acknowledged: 1 broken line was moved to ${join(folder, 'journal.torn')}.`,
    ]);
  });

  test('keeps an intact line after a broken one of a torn batch, also when it opens again', async () => {
    const { folder, journal } = await folderWith(['one'], ['two', 'three', 'four']);
    const lines = linesOf(await readFile(journal));
    flipBit(lines[3], 40);
    await writeFile(journal, Buffer.concat(lines));
    for (const warnings of [[expect.stringContaining('1 broken line was moved')], []]) {
      const opened = await open(folder);
      expect(opened).toMatchObject({ aliases: ['one', 'two', 'four'], warnings });
    }
  });

  test('opens without the lines of a torn batch if the disk is too full to keep them', async () => {
    const { folder, journal } = await folderWith(['one'], ['two']);
    const whole = await readFile(journal);
    await appendFile(journal, `{"batch":${whole.length},"records":[["link","torn`);
    await symlink('/dev/full', join(folder, 'journal.torn'));
    const { aliases, warnings } = await open(folder);
    expect(aliases).toEqual(['one', 'two']);
    expect(warnings).toEqual([
      'journal-000001.jsonl ends with an incomplete batch after a crash. It was never acknowledged: 1 broken line was removed. The disk is too full to keep it.',
    ]);
    expect(await readFile(journal)).toEqual(whole);
  });

  test.each([
    ['the line before the last batch', 3],
    ['the first line', 1],
    ['a line in the middle', 2],
  ])(
    'fails to open if %s is damaged, with file, line and a command that prints it',
    async (_, index) => {
      const { folder, journal } = await folderWith(['one'], ['two', 'three'], ['four']);
      const lines = linesOf(await readFile(journal));
      flipBit(lines[index], 40);
      const damaged = Buffer.concat(lines);
      await writeFile(journal, damaged);
      const error = await open(folder).catch((caught: Error) => caught);
      const message = error instanceof StoreOpenError ? error.message : '';
      expect(message).toContain(`${journal}, line ${index + 1}, is damaged`);
      const command = /To see it, run: (.*)/.exec(message)?.[1] ?? '';
      expect(execFileSync('sh', ['-c', command])).toEqual(lines[index]);
      expect(await readFile(journal)).toEqual(damaged);
      expect(await readdir(folder)).not.toContain('journal.torn');
    },
  );

  test('fails to open if a line is missing or duplicated', async () => {
    const { folder, journal } = await folderWith(['one'], ['two'], ['three']);
    const lines = linesOf(await readFile(journal));
    for (const other of [lines.toSpliced(2, 1), lines.toSpliced(2, 0, lines[2] ?? Buffer.of())]) {
      await writeFile(journal, Buffer.concat(other));
      await expect(open(folder)).rejects.toThrow(/line \d, is damaged/);
    }
  });

  test.each([
    [2, 'was written by a newer version of Curt, in format 2. This is Curt '],
    [0, 'does not start with a line that Curt has written.'],
  ])('rejects a file with format version %i and does not change it', async (version, message) => {
    const { folder, journal } = await folderWith(['one']);
    const header = toLine({ curt: 'journal', version, generation: 1 });
    await writeFile(journal, header);
    await expect(open(folder)).rejects.toThrow(`${journal} ${message}`);
    expect(await readFile(journal, 'utf8')).toBe(header);
  });

  test('rejects a newer version even if its lines have another kind of checksum', async () => {
    const { folder, journal } = await folderWith(['one']);
    await writeFile(journal, '{"curt":"journal","version":2,"sum":"of another kind"}\n');
    await expect(open(folder)).rejects.toThrow('was written by a newer version of Curt');
  });

  test('ignores data of a failed write after the length that the next journal names', async () => {
    const { folder, journal } = await folderWith(['one'], ['two']);
    const bytes = await readFile(journal);
    const acknowledged = Buffer.concat(linesOf(bytes).slice(0, 2)).length;
    const next = join(folder, 'journal-000002.jsonl');
    await writeFile(next, headerLine('journal', 2, acknowledged));
    expect((await open(folder)).aliases).toEqual(['one']);
    // But acknowledged data must be complete.
    await truncate(journal, acknowledged - 1);
    await expect(open(folder)).rejects.toThrow(`${journal} is incomplete`);
    await writeFile(journal, bytes);
    const line = toLine({ batch: 1, hits: [] });
    await writeFile(next, headerLine('journal', 2, bytes.length) + line);
    await expect(open(folder)).rejects.toThrow(`${next}, line 2, is damaged`);
  });

  test('fails to open if a journal in the sequence is missing', async () => {
    const { folder } = await folderWith(['one']);
    await writeFile(join(folder, 'journal-000003.jsonl'), headerLine('journal', 3, 0));
    await expect(open(folder)).rejects.toThrow(/journal-000002\.jsonl is missing/);
  });
});
