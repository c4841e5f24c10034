import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { quote } from '../../../lib/quote.ts';
import {
  DataError,
  damagedLine,
  incompleteFile,
  type OnDataError,
  REPAIR,
} from '../files/data-error.ts';
import { isDiskFull } from '../files/folder.ts';
import type { ChangeLine } from '../files/formats.ts';
import type { Line, LineFile } from '../files/line-file.ts';
import { type LoadedFile, loadLine, type Receiver } from './load-line.ts';

const BATCH_KEY = '{"batch":';

/**
 * Reads a journal, whose header is intact.
 *
 * @param end the journal's valid length, from the next journal's header: up to there, every line must
 * be intact. Undefined for the last journal, whose last batch may be torn.
 * @returns `bytes`: the length of all complete lines; `erasedAt`: of the first line that has it
 */
export function loadJournal(
  file: LineFile,
  format: Omit<LoadedFile, 'path'>,
  end: number | undefined,
  to: Receiver,
  onError: OnDataError,
) {
  const { path } = file;
  const isCutOff = end !== undefined && file.bytes < end;
  let [batch, bytes, number] = [0, 0, 0];
  let isOrdered = true;
  let torn: TornTail | undefined;
  const broken: Line<ChangeLine>[] = [];
  let erasedAt: number | undefined;
  /** The broken lines were on disk: they are not the trace of a crash. */
  const reportTorn = () => {
    for (const line of torn?.broken ?? []) onError(damagedLine(path, line.number, line.start));
    torn = undefined;
  };
  for (const line of file.lines<ChangeLine>(end)) {
    if (isCutOff && !line.isEnded) break;
    number = line.number;
    if (line.isEnded) bytes = line.end;
    if (number === 1) continue;
    if (!line.value) {
      broken.push(line);
      torn ??= new TornTail(path);
      torn.add(line);
      if (end !== undefined || startsLaterBatch(line, torn)) reportTorn();
      continue;
    }
    const batchStart = line.value.batch ?? -1;
    // A batch is written once the previous one is on disk. So this batch proves that the broken
    // line, which is before it, was on disk.
    if (torn && batchStart > torn.start) reportTorn();
    // A line continues its batch, starts one, or belongs to one that starts with a broken line.
    const isKnown = batchStart === batch || batchStart === line.start;
    if (!isKnown && !broken.some((each) => batchStart >= each.start && batchStart < each.end)) {
      // Once a line is missing, all lines after it are in another place.
      if (isOrdered) onError(wrongOrder(path, line));
      isOrdered = false;
    }
    batch = batchStart;
    torn?.add(line);
    erasedAt ??= line.value.erasedAt;
    loadLine(line, { path, ...format }, to, onError);
  }
  if (isCutOff) {
    const reason = `it should have ${end} bytes. To see its size, run: wc -c ${quote(path)}`;
    onError(incompleteFile(path, number + 1, bytes, reason));
  }
  return { torn, bytes, erasedAt };
}

function wrongOrder(path: string, { number: line, start: byte }: Line<unknown>): DataError {
  const { problem } = damagedLine(path, line, byte).details;
  return new DataError({
    kind: 'wrong_order',
    path,
    line,
    byte,
    problem: `${problem} (It is intact, but not where it was written: a line before it is missing, or there twice.)`,
    repair: REPAIR,
  });
}

/**
 * Whether a later batch starts somewhere in a broken line: that line is broken itself, or merged with
 * the line before it because a line feed is damaged.
 */
function startsLaterBatch({ bytes, start }: Line<unknown>, torn: TornTail): boolean {
  for (let at = bytes.indexOf(BATCH_KEY); at !== -1; at = bytes.indexOf(BATCH_KEY, at + 1)) {
    const isStart = bytes.toString('latin1', at).startsWith(`${BATCH_KEY}${start + at},`);
    if (isStart && start + at > torn.start) return true;
  }
  return false;
}

const LINE_FEED = Buffer.from('\n');

/** What a crash left of an incomplete batch, from its first broken line on. */
export class TornTail {
  /** The path of the journal. */
  readonly path: string;
  readonly #lines: Line<unknown>[] = [];

  constructor(path: string) {
    this.path = path;
  }

  add(line: Line<unknown>): void {
    this.#lines.push(line);
  }

  /** Where the first broken line begins in the file. */
  get start(): number {
    return this.#lines[0]?.start ?? 0;
  }

  get broken(): Line<unknown>[] {
    return this.#lines.filter(({ value }) => value === undefined);
  }

  /**
   * Moves the broken lines to `journal.torn`, or removes them if the disk is full: the server must start. The
   * intact ones move up. Their `batch` member is still valid: it is the position of the first broken line or
   * before it.
   *
   * @returns how long the journal is then, and a sentence on what was moved
   */
  quarantine(folder: string): { bytes: number; message: string } {
    const intact = textOf(this.#lines.filter(({ value }) => value !== undefined));
    const { length: count } = this.broken;
    const [lines, them] = count === 1 ? ['line was', 'it'] : ['lines were', 'them'];
    const tornPath = join(folder, 'journal.torn');
    let fate = `moved to ${tornPath}.`;
    try {
      rewrite(tornPath, 'a', null, textOf(this.broken));
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      fate = `removed. The disk is too full to keep ${them}.`;
    }
    rewrite(this.path, 'r+', this.start, intact);
    const message = `${basename(this.path)} ends with an incomplete batch after a crash. It was never acknowledged: ${count} broken ${lines} ${fate}`;
    return { bytes: this.start + intact.length, message };
  }
}

function textOf(lines: Line<unknown>[]): Buffer {
  return Buffer.concat(lines.flatMap(({ bytes }) => [bytes, LINE_FEED]));
}

/** @param offset from where on it is replaced; null to append */
function rewrite(path: string, flags: string, offset: number | null, bytes: Buffer): void {
  const file = openSync(path, flags, 0o600);
  try {
    if (offset !== null) ftruncateSync(file, offset);
    for (let written = 0; written < bytes.length; ) {
      const position = offset === null ? null : offset + written;
      written += writeSync(file, bytes, written, bytes.length - written, position);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
