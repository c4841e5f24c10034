import { execFileSync } from 'node:child_process';
import { appendFile, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toLine } from '../../server/store/json-file/checked-line.ts';
import { headerLine } from '../../server/store/json-file/file-header.ts';
import { type Link, StoreOpenError } from '../../server/store/store.ts';
import { addLink, editOf, NOW, targetOf, wishFor } from './contract.ts';
import { linksOf, newFolder, openFolder, openUntilTestEnds } from './support/folders.ts';

const ALIASES = ['one', 'two', 'three', 'four', 'five'];

/** A folder whose first journal holds links in these batches. */
async function folderWith(batches: string[][]): Promise<{ folder: string; journal: string }> {
  const folder = await newFolder();
  const store = await openFolder(folder);
  for (const batch of batches) {
    await Promise.all(batch.map((alias) => store.addLink(wishFor(alias))));
  }
  await store.close();
  return { folder, journal: join(folder, 'journal-000001.jsonl') };
}

/**
 * A folder in whose journal two links are edited, one after the other: how long the journal is
 * before the edits and after each, and what the links are then.
 */
async function folderWithEdits() {
  const { folder, journal } = await folderWith([]);
  const store = await openFolder(folder);
  const one = await addLink(store, wishFor('one'));
  const two = await addLink(store, wishFor('two'));
  const lengths: number[] = [];
  const states: Link[][] = [];
  const look = async () => {
    lengths.push((await readFile(journal)).length);
    states.push(await linksOf(store, ALIASES));
  };
  await look();
  for (const edit of [
    editOf(one, { alias: 'three', description: '{"link":{"edit":"x\n' }),
    editOf(two, { alias: 'one', ...targetOf('https://example.com/ü') }),
    editOf(one, { alias: 'two', isActive: false }),
    editOf(two, { title: 'the last' }),
  ]) {
    await store.editLink(edit);
    await look();
  }
  await store.close();
  return { folder, journal, lengths, states };
}

/** What opening found, and what it warned of; the store is closed again. */
async function open(folder: string) {
  const warnings: string[] = [];
  const store = await openFolder(folder, { onWarning: (message) => warnings.push(message) });
  const links = await linksOf(store, ALIASES);
  await store.close();
  return { links, aliases: links.map(({ alias }) => alias), warnings };
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
  test('is JSON lines that a person can read, the first one with the version', async () => {
    const { journal } = await folderWith([['one']]);
    const lines = (await readFile(journal, 'utf8')).trimEnd().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      curt: 'journal',
      version: 3,
      generation: 1,
    });
    expect(JSON.parse(lines[1] ?? '').link).toMatchObject({
      alias: 'one',
      originalUrl: 'https://example.com/page',
    });
    expect(lines).toHaveLength(2);
  });

  test('takes calls of one moment in one batch, and says of each line where its batch began', async () => {
    const { journal } = await folderWith([['one'], ['two', 'three'], ['four']]);
    const lines = linesOf(await readFile(journal));
    const starts = lines.map((_, index) => Buffer.concat(lines.slice(0, index)).length);
    const batches = lines.slice(1).map((line) => JSON.parse(line.toString()).batch);
    expect(batches).toEqual([starts[1], starts[2], starts[2], starts[4]]);
  });

  test('opens with exactly the whole lines, wherever its end was cut off', {
    tags: ['slow'],
  }, async () => {
    const { folder, journal } = await folderWith([['one'], ['two'], ['three', 'four'], ['five']]);
    const bytes = await readFile(journal);
    const lines = linesOf(bytes);
    const firstCut = Buffer.concat(lines.slice(0, -3)).length;
    for (let length = firstCut; length <= bytes.length; length++) {
      await writeFile(journal, bytes.subarray(0, length));
      const whole = linesOf(bytes).filter((_, index) => {
        return Buffer.concat(lines.slice(0, index + 1)).length <= length;
      });
      const { aliases, warnings } = await open(folder);
      expect(aliases).toEqual(ALIASES.slice(0, whole.length - 1));
      const isTorn = Buffer.concat(whole).length < length;
      expect(warnings).toEqual(isTorn ? [expect.stringContaining('journal.torn')] : []);
      // Without a warning from now on, and ready for more.
      expect((await open(folder)).warnings).toEqual([]);
    }
  });

  test('opens with exactly the whole edits, wherever its end was cut off', {
    tags: ['slow'],
  }, async () => {
    const { folder, journal, lengths, states } = await folderWithEdits();
    const bytes = await readFile(journal);
    for (let length = lengths[0] ?? 0; length <= bytes.length; length++) {
      await writeFile(journal, bytes.subarray(0, length));
      const whole = lengths.findLastIndex((end) => end <= length);
      const { links, warnings } = await open(folder);
      expect(links).toEqual(states[whole]);
      const isTorn = lengths[whole] !== length;
      expect(warnings).toEqual(isTorn ? [expect.stringContaining('journal.torn')] : []);
    }
  });

  test('never shows another edit for a flipped byte: the start stops, or it warns', {
    tags: ['slow'],
  }, async () => {
    const { folder, journal, lengths, states } = await folderWithEdits();
    const bytes = await readFile(journal);
    for (let at = lengths[0] ?? 0; at < bytes.length; at++) {
      for (const mask of [0x01, 0x20, 0xff]) {
        const flipped = Buffer.from(bytes);
        flipped[at] = (bytes[at] ?? 0) ^ mask;
        await writeFile(journal, flipped);
        const opened = await open(folder).catch((error: unknown) => error);
        if (opened instanceof Error) {
          expect(opened).toBeInstanceOf(StoreOpenError);
          expect(await readFile(journal)).toEqual(flipped);
        } else {
          // In the last batch only: as if it had been torn.
          expect(opened).toMatchObject({ links: states.at(-2), warnings: [expect.any(String)] });
        }
      }
    }
  });

  test('stops the start for an edit of a link that is not there', async () => {
    const { folder, journal } = await folderWith([['one']]);
    const { length } = await readFile(journal);
    await appendFile(journal, toLine(`"batch":${length},"edit":{"id":"nobody","alias":"two"}`));
    await expect(open(folder)).rejects.toThrow(
      `${folder} cannot be used: a line edits nobody, which is no link.`,
    );
  });

  test('never shows another link for a flipped byte: the start stops, or it warns', {
    tags: ['slow'],
  }, async () => {
    const { folder, journal } = await folderWith([['one'], ['two', 'three'], ['four']]);
    const bytes = await readFile(journal);
    const { links } = await open(folder);
    for (let at = 0; at < bytes.length; at++) {
      for (const mask of [0x01, 0x20, 0xff]) {
        const flipped = Buffer.from(bytes);
        flipped[at] = (bytes[at] ?? 0) ^ mask;
        await writeFile(journal, flipped);
        const opened = await open(folder).catch((error: unknown) => error);
        if (opened instanceof Error) {
          expect(opened).toBeInstanceOf(StoreOpenError);
          expect(await readFile(journal)).toEqual(flipped);
        } else {
          // In the last batch only: as if it had been torn.
          expect(opened).toMatchObject({
            links: links.slice(0, 3),
            warnings: [expect.any(String)],
          });
        }
      }
    }
  });

  test('keeps the whole lines of a last batch that was torn in its middle, and takes more', async () => {
    const { folder, journal } = await folderWith([['one'], ['two', 'three', 'four']]);
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
      `journal-000001.jsonl ends in a batch that was never acknowledged, as a crash leaves it: 1 broken line was moved to ${join(folder, 'journal.torn')}.`,
    ]);
  });

  test.each([
    ['the line before the last batch', 3],
    ['the first line of all', 1],
    ['a line amid the file', 2],
  ])('stops the start for %s, with file, line and the command that shows it', async (_, index) => {
    const { folder, journal } = await folderWith([['one'], ['two', 'three'], ['four']]);
    const lines = linesOf(await readFile(journal));
    lines[index]?.write('X', 40);
    const damaged = Buffer.concat(lines);
    await writeFile(journal, damaged);
    const error = await open(folder).catch((caught: Error) => caught);
    const message = error instanceof StoreOpenError ? error.message : '';
    expect(message).toContain(`${journal}, line ${index + 1}, is broken`);
    const command = /See it with: (.*)/.exec(message)?.[1] ?? '';
    expect(execFileSync('sh', ['-c', command])).toEqual(lines[index]);
    expect(await readFile(journal)).toEqual(damaged);
    expect(await readdir(folder)).not.toContain('journal.torn');
  });

  test('stops the start when a whole line is missing or stands twice', async () => {
    const { folder, journal } = await folderWith([['one'], ['two'], ['three']]);
    const lines = linesOf(await readFile(journal));
    for (const other of [lines.toSpliced(2, 1), lines.toSpliced(2, 0, lines[2] ?? Buffer.of())]) {
      await writeFile(journal, Buffer.concat(other));
      await expect(open(folder)).rejects.toThrow(/line \d, is broken/);
    }
  });

  test('refuses what a newer Curt wrote, and leaves it alone', async () => {
    const { folder, journal } = await folderWith([['one']]);
    const newer = '{"curt":"journal","version":4,"sum":"of another kind"}\n';
    await writeFile(journal, newer);
    await expect(open(folder)).rejects.toThrow(
      `${journal} was written by a newer Curt (format 4; this one reads 3). Nothing was changed. Start that version, or a newer one.`,
    );
    expect(await readFile(journal, 'utf8')).toBe(newer);
  });

  test('leaves out what a failed write left behind the end that the next journal names', async () => {
    const { folder, journal } = await folderWith([['one'], ['two']]);
    const bytes = await readFile(journal);
    const acknowledged = Buffer.concat(linesOf(bytes).slice(0, 2)).length;
    const next = join(folder, 'journal-000002.jsonl');
    await writeFile(next, headerLine('journal', 2, acknowledged));
    expect((await open(folder)).aliases).toEqual(['one']);
    // But it must hold what was acknowledged.
    await truncate(journal, acknowledged - 1);
    await expect(open(folder)).rejects.toThrow(`${journal} lacks its last lines`);
    await writeFile(journal, bytes);
    const line = toLine('"batch":1,"hits":[]');
    await writeFile(next, headerLine('journal', 2, bytes.length) + line);
    await expect(open(folder)).rejects.toThrow(`${next}, line 2, is broken`);
  });

  test('stops the start when a journal between two others is missing', async () => {
    const { folder } = await folderWith([['one']]);
    await writeFile(join(folder, 'journal-000003.jsonl'), headerLine('journal', 3, 0));
    await expect(open(folder)).rejects.toThrow(/journal-000002\.jsonl is missing/);
  });
});

describe('hits', () => {
  test('are written as sums, a second after the first', async () => {
    const folder = await newFolder();
    const store = await openUntilTestEnds(folder);
    const wish = wishFor('one');
    await store.addLink(wish);
    for (let visit = 0; visit < 100; visit++) store.countHit(wish.link.id);
    await expect
      .poll(() => readFile(join(folder, 'journal-000001.jsonl'), 'utf8'), { timeout: 5000 })
      .toContain(`"hits":[["${wish.link.id}",100]]`);
  });
});

/** As the server of version 2 wrote it: an account, a key, two links and a visit. */
const VERSION_2 = [
  '{"curt":"journal","version":2,"generation":1,"previousBytes":0,"crc":"330089f3"}',
  '{"batch":81,"account":{"id":"account-1","tokenHash":"token","created":1795176000000},"idempotency":{"keyHash":"key","bodyHash":"body","tokenSalt":null},"link":{"id":"link-1","alias":"One","accountId":"account-1","originalUrl":"https://example.com/ü","created":1795176000000,"aliasIsCustom":true,"waitTimerSeconds":3},"crc":"1f89e94e"}',
  '{"batch":417,"link":{"id":"link-2","alias":"two","accountId":"account-1","originalUrl":"https://example.com/ü","created":1795176000000,"aliasIsCustom":true},"crc":"ddc4de78"}',
  '{"batch":593,"hits":[["link-1",1]],"crc":"a55972bd"}',
  '',
].join('\n');

describe('version 2 of the format', () => {
  const made = {
    ...wishFor('').link,
    id: 'link-1',
    alias: 'One',
    originalUrl: 'https://example.com/ü',
    // Version 2 kept no serialized form.
    targetUrl: 'https://example.com/ü',
    waitTimerSeconds: 3,
  };

  test('is read as it is, and stays as it is while nothing changes', async () => {
    const folder = await newFolder();
    const journal = join(folder, 'journal-000001.jsonl');
    await writeFile(journal, VERSION_2);
    const store = await openFolder(folder);
    expect(await store.findLink('one')).toEqual({ ...made, hits: 1 });
    expect(await store.findLink('two')).toMatchObject({ id: 'link-2' });
    expect(await store.findAccount('token')).toMatchObject({ id: 'account-1' });
    expect(await store.findReplay('key', NOW)).toMatchObject({ bodyHash: 'body', link: made });
    expect(await store.countLinks('account-1', NOW)).toEqual({ month: 2, total: 2 });
    await store.close();
    expect(await readFile(journal, 'utf8')).toBe(VERSION_2);
    expect((await readdir(folder)).sort()).toEqual(['journal-000001.jsonl', 'lock']);
  });

  test('takes no line more: the first change begins a journal that an older server refuses', async () => {
    const folder = await newFolder();
    const journal = join(folder, 'journal-000001.jsonl');
    await writeFile(journal, VERSION_2);
    const store = await openFolder(folder);
    await store.editLink(editOf(made, { alias: 'three', title: 'edited' }));
    await store.close();
    expect(await readFile(journal, 'utf8')).toBe(VERSION_2);
    const [header = ''] = (await readFile(journal.replace('1', '2'), 'utf8')).split('\n');
    expect(JSON.parse(header)).toMatchObject({ version: 3, generation: 2 });
    const { links } = await open(folder);
    expect(links).toMatchObject([
      { id: 'link-2', alias: 'two' },
      { id: 'link-1', alias: 'three', title: 'edited', hits: 1, waitTimerSeconds: 3 },
    ]);
    expect((await open(folder)).warnings).toEqual([]);
  });

  test('is refused where its end is torn before the journal that went on', async () => {
    const folder = await newFolder();
    const journal = join(folder, 'journal-000001.jsonl');
    await writeFile(journal, VERSION_2.slice(0, -10));
    const warnings: string[] = [];
    const store = await openFolder(folder, { onWarning: (message) => warnings.push(message) });
    expect(warnings).toEqual([expect.stringContaining('journal.torn')]);
    await store.editLink(editOf(made, { alias: 'three' }));
    await store.close();
    expect((await open(folder)).aliases).toEqual(['two', 'three']);
    await truncate(journal, VERSION_2.indexOf('{"batch":417'));
    await expect(open(folder)).rejects.toThrow(`${journal} lacks its last lines`);
  });
});
