import { existsSync, statSync } from 'node:fs';
import { StoreOpenError } from '../../store.ts';
import { membersEnd } from '../files/checked-line.ts';
import { ADVICE, brokenLine, checkHeader, type FileHeader } from '../files/file-header.ts';
import { journalPath, readGenerations, snapshotPath } from '../files/generations.ts';
import { erasedAt, type LoadedRecord, retainedBytes } from '../files/line-record.ts';
import { readLinkLine } from '../files/link-line.ts';
import { type Lines, readLines } from '../files/read-lines.ts';
import { TornTail } from '../files/torn-tail.ts';
import type { State } from '../memory/state.ts';

const BATCH_KEY = '{"batch":';
const LINK_KEY = Buffer.from('"link":');
const EDIT_KEY = Buffer.from('"edit":');

/** A journal and its valid length. */
export type JournalExtent = { generation: number; bytes: number };

export type LoadedFolder = {
  snapshot: number | undefined;
  /** In order; empty in a new folder. */
  journals: JournalExtent[];
  /** Bytes that were read, and how many of them the next snapshot will omit. */
  totalBytes: number;
  wasteBytes: number;
  /** When the first of the journals' changes erased something; undefined if none did. */
  erasedAt: number | undefined;
  /** When the snapshot was written, if older files have content that was erased. */
  snapshotErasedAt: number | undefined;
};

/**
 * Reads the newest snapshot and the journals after it into `state`.
 *
 * Every line must be intact, with one exception: a power failure tears the batch that was being
 * written, at any point. It was never acknowledged, so its broken lines are moved to `journal.torn`
 * and the server starts.
 *
 * @param warn called with a sentence on what was moved
 * @throws StoreOpenError if any other line is broken or a file is missing; then no file is changed
 */
export function loadFolder(
  folder: string,
  state: State,
  warn: (message: string) => void,
): LoadedFolder {
  const { snapshot, journals } = readGenerations(folder);
  checkChain(folder, snapshot, journals);
  const snapshotHeader = snapshot === undefined ? undefined : loadSnapshot(folder, snapshot, state);

  const headers = journals.map((generation) => readHeader(journalPath(folder, generation)));
  const loaded: JournalExtent[] = [];
  let totalBytes = snapshot === undefined ? 0 : statSync(snapshotPath(folder, snapshot)).size;
  let wasteBytes = 0;
  let firstErasedAt: number | undefined;
  for (const [index, generation] of journals.entries()) {
    const path = journalPath(folder, generation);
    const journal = loadJournal(path, headers[index + 1]?.previousBytes, state);
    if (journal.torn) warn(journal.torn.quarantine(folder, path));
    loaded.push({ generation, bytes: journal.torn?.bytesLeft() ?? journal.bytes });
    totalBytes += journal.bytes;
    wasteBytes += journal.wasteBytes;
    firstErasedAt ??= journal.erasedAt;
  }
  return {
    snapshot,
    journals: loaded,
    totalBytes,
    wasteBytes,
    erasedAt: firstErasedAt,
    snapshotErasedAt: snapshotHeader?.erasedAt,
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

function loadSnapshot(folder: string, generation: number, state: State): FileHeader | undefined {
  const path = snapshotPath(folder, generation);
  const before = snapshotPath(folder, generation - 1);
  const advice = existsSync(before)
    ? `Nothing was changed. The previous generation still exists: move this file away, and the server starts from ${before} and the journals after it, without losing data.`
    : ADVICE;
  let header: FileHeader | undefined;
  let isComplete = false;
  for (const lines of readLines(path, undefined, readLinkLine)) {
    if (lines.firstNumber === 1) header = headerOf(path, lines);
    for (const [index, record] of lines.values.entries()) {
      if (record === undefined) throw brokenLine(path, lines.firstNumber + index, advice);
      loadLine(state, record, lines, index);
      isComplete = record.end !== undefined;
    }
  }
  if (!isComplete) {
    throw new StoreOpenError(
      `${path} is incomplete: its last line is missing. To see how it ends, run: tail -n 1 '${path}'\n${advice}`,
    );
  }
  return header;
}

/**
 * @param end the journal's valid length, from the next journal's header: up to there, every line must
 * be intact. Undefined for the last journal, whose last batch may be torn.
 */
function loadJournal(path: string, end: number | undefined, state: State) {
  if (end !== undefined && statSync(path).size < end) {
    throw new StoreOpenError(
      `${path} is incomplete: it should have ${end} bytes. To see its size, run: wc -c '${path}'\n${ADVICE}`,
    );
  }
  let batch = 0;
  let torn: TornTail | undefined;
  let bytes = 0;
  let wasteBytes = 0;
  let firstErasedAt: number | undefined;
  for (const lines of readLines(path, end, readLinkLine)) {
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
        if (startsLaterBatch(line, offset, torn)) throw brokenLine(path, torn.lineNumber);
        torn.addBroken(line);
        continue;
      }
      const batchStart = record.batch ?? -1;
      // A batch is written once the previous one is on disk. So this batch proves that the broken
      // line, which is before it, was on disk.
      if (torn && batchStart > torn.offset) throw brokenLine(path, torn.lineNumber);
      // A line continues its batch, starts one, or belongs to one that starts with a broken line.
      if (batchStart !== batch && batchStart !== offset && batchStart !== torn?.offset) {
        throw brokenLine(path, number);
      }
      batch = batchStart;
      torn?.addIntact(lines.bytes.subarray(lineStart, lineEnd));
      const lineBytes = lineEnd + 1 - lineStart;
      const replaced = record.edit ?? record.purged;
      const replacedBytes = replaced ? state.lineBytes(replaced.id) : 0;
      firstErasedAt ??= erasedAt(record);
      wasteBytes += lineBytes - retainedBytes(record, lineBytes, replacedBytes);
      loadLine(state, record, lines, index);
    }
    bytes = lines.offset + (lines.ends.at(-1) ?? 0) + 1;
  }
  return { torn, bytes, wasteBytes, erasedAt: firstErasedAt };
}

/**
 * Whether a later batch starts somewhere in a broken line: that line is broken itself, or merged with
 * the line before it because a line feed is damaged.
 */
function startsLaterBatch(line: Buffer, offset: number, torn: TornTail): boolean {
  for (let at = line.indexOf(BATCH_KEY); at !== -1; at = line.indexOf(BATCH_KEY, at + 1)) {
    const start = offset + at;
    const isStart = line.toString('latin1', at).startsWith(`${BATCH_KEY}${start},`);
    if (isStart && start > torn.offset) return true;
  }
  return false;
}

function loadLine(state: State, record: LoadedRecord, lines: Lines<unknown>, index: number): void {
  const { bytes, starts, ends } = lines;
  // The link is the last member of its line.
  const key = record.link ? LINK_KEY : EDIT_KEY;
  const start = record.link || record.edit ? bytes.indexOf(key, starts[index]) + key.length : 0;
  state.load(record, bytes, start, membersEnd(ends[index] ?? 0));
}
