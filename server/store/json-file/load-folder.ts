import { existsSync, statSync } from 'node:fs';
import { StoreOpenError } from '../store.ts';
import { membersEnd } from './checked-line.ts';
import { ADVICE, brokenLine, checkHeader, type FileHeader, FORMAT_VERSION } from './file-header.ts';
import { journalPath, readGenerations, snapshotPath } from './generations.ts';
import { type Lines, readLines } from './read-lines.ts';
import { type LineRecord, lastingBytes, type State } from './state.ts';
import { TornTail } from './torn-tail.ts';

const BATCH_KEY = '{"batch":';
const LINK_KEY = Buffer.from('"link":');
const EDIT_KEY = Buffer.from('"edit":');

/** A journal, as far as it holds. */
export type JournalExtent = { generation: number; bytes: number };

export type LoadedFolder = {
  snapshot: number | undefined;
  /** In order. None in a new folder. */
  journals: JournalExtent[];
  /** Whether the last journal is of an older version, and so not one to go on with. */
  isOutdated: boolean;
  /** How much was read, and how much of that the next snapshot will do without. */
  totalBytes: number;
  wasteBytes: number;
};

/**
 * Reads the newest snapshot and the journals after it into `state`.
 *
 * Every line must be whole, with one exception: a power cut tears the batch that was being
 * written, anywhere in it. Nobody was told that it is saved, so its broken lines are put into
 * `journal.torn` and the server starts.
 *
 * @param warn told, in a sentence, of what was put aside
 * @throws StoreOpenError any other line is broken, or a file is missing: the files stay as they are
 */
export function loadFolder(
  folder: string,
  state: State,
  warn: (message: string) => void,
): LoadedFolder {
  const { snapshot, journals } = readGenerations(folder);
  checkChain(folder, snapshot, journals);
  if (snapshot !== undefined) loadSnapshot(folder, snapshot, state);

  const headers = journals.map((generation) => readHeader(journalPath(folder, generation)));
  const loaded: JournalExtent[] = [];
  let totalBytes = snapshot === undefined ? 0 : statSync(snapshotPath(folder, snapshot)).size;
  let wasteBytes = 0;
  for (const [index, generation] of journals.entries()) {
    const path = journalPath(folder, generation);
    const journal = loadJournal(path, headers[index + 1]?.previousBytes, state);
    if (journal.torn) warn(journal.torn.putAside(folder, path));
    loaded.push({ generation, bytes: journal.torn?.bytesLeft() ?? journal.bytes });
    totalBytes += journal.bytes;
    wasteBytes += journal.wasteBytes;
  }
  const { version = FORMAT_VERSION } = headers.at(-1) ?? {};
  return {
    snapshot,
    journals: loaded,
    isOutdated: version < FORMAT_VERSION,
    totalBytes,
    wasteBytes,
  };
}

function checkChain(folder: string, snapshot: number | undefined, journals: number[]): void {
  if (journals.length === 0 && snapshot === undefined) return;
  const first = snapshot ?? 1;
  const length = Math.max(journals.length, 1);
  for (let generation = first; generation < first + length; generation++) {
    if (journals.includes(generation)) continue;
    throw new StoreOpenError(`${journalPath(folder, generation)} is missing. ${ADVICE}`);
  }
}

function readHeader(path: string): FileHeader {
  for (const lines of readLines<FileHeader>(path)) return headerOf(path, lines);
  throw brokenLine(path, 1);
}

function headerOf(path: string, { bytes, ends, values }: Lines<unknown>): FileHeader {
  return checkHeader(path, bytes.toString('utf8', 0, ends[0]), values[0]);
}

function loadSnapshot(folder: string, generation: number, state: State): void {
  const path = snapshotPath(folder, generation);
  const before = snapshotPath(folder, generation - 1);
  const advice = existsSync(before)
    ? `Nothing was changed. The generation before is still there: move this file away, and the server starts from ${before} and the journals after it, with nothing lost.`
    : ADVICE;
  let isEnded = false;
  for (const lines of readLines<LineRecord & { end?: number }>(path)) {
    if (lines.firstNumber === 1) headerOf(path, lines);
    for (const [index, record] of lines.values.entries()) {
      if (record === undefined) throw brokenLine(path, lines.firstNumber + index, advice);
      loadLine(state, record, lines, index);
      isEnded = record.end !== undefined;
    }
  }
  if (!isEnded) {
    throw new StoreOpenError(
      `${path} is not whole: its last line is missing. See what it ends with: tail -n 1 '${path}'\n${advice}`,
    );
  }
}

/**
 * @param end how far the journal holds, where a next one says so: up to there every line must be
 * whole. Undefined for the last journal, whose last batch may be torn.
 */
function loadJournal(path: string, end: number | undefined, state: State) {
  if (end !== undefined && statSync(path).size < end) {
    throw new StoreOpenError(
      `${path} lacks its last lines: it must hold ${end} bytes. See how many it holds: wc -c '${path}'\n${ADVICE}`,
    );
  }
  let batch = 0;
  let torn: TornTail | undefined;
  let bytes = 0;
  let wasteBytes = 0;
  for (const lines of readLines<LineRecord>(path, end)) {
    if (lines.firstNumber === 1) headerOf(path, lines);
    for (let index = lines.firstNumber === 1 ? 1 : 0; index < lines.values.length; index++) {
      const record = lines.values[index];
      const [lineStart = 0, lineEnd = 0] = [lines.starts[index], lines.ends[index]];
      const offset = lines.offset + lineStart;
      const number = lines.firstNumber + index;
      if (record === undefined) {
        if (end !== undefined) throw brokenLine(path, number);
        torn ??= new TornTail(offset, number);
        const line = lines.bytes.subarray(lineStart, lineEnd);
        if (beginsLaterBatch(line, offset, torn)) throw brokenLine(path, torn.lineNumber);
        torn.addBroken(line);
        continue;
      }
      const began = record.batch ?? -1;
      // A batch is written when the one before is on disk. So this one proves that the broken
      // line, which lies before it, was on disk.
      if (torn && began > torn.offset) throw brokenLine(path, torn.lineNumber);
      // Each batch goes on, or begins here, or began with a line that is broken.
      if (began !== batch && began !== offset && began !== torn?.offset) {
        throw brokenLine(path, number);
      }
      batch = began;
      torn?.addWhole(lines.bytes.subarray(lineStart, lineEnd));
      const lineBytes = lineEnd + 1 - lineStart;
      const replacedBytes = record.edit ? state.lineBytes(record.edit.id) : 0;
      wasteBytes += lineBytes - lastingBytes(record, lineBytes, replacedBytes);
      loadLine(state, record, lines, index);
    }
    bytes = lines.offset + (lines.ends.at(-1) ?? 0) + 1;
  }
  return { torn, bytes, wasteBytes };
}

/**
 * Whether a batch begins somewhere in a broken line, after the first broken one: the line of a
 * later batch, itself broken, or run into the one before for want of a line feed.
 */
function beginsLaterBatch(line: Buffer, offset: number, torn: TornTail): boolean {
  for (let at = line.indexOf(BATCH_KEY); at !== -1; at = line.indexOf(BATCH_KEY, at + 1)) {
    const start = offset + at;
    const isStart = line.toString('latin1', at).startsWith(`${BATCH_KEY}${start},`);
    if (isStart && start > torn.offset) return true;
  }
  return false;
}

function loadLine(state: State, record: LineRecord, lines: Lines<unknown>, index: number): void {
  const { bytes, starts, ends } = lines;
  // The link stands last in its line.
  const key = record.link ? LINK_KEY : EDIT_KEY;
  const start = record.link || record.edit ? bytes.indexOf(key, starts[index]) + key.length : 0;
  state.load(record, bytes, start, membersEnd(ends[index] ?? 0));
}
