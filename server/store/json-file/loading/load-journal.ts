import { statSync } from 'node:fs';
import type { Data } from '../data/data.ts';
import type { ChangeLine } from '../files/change-line.ts';
import { DataError, damagedLine, type OnDataError, quote, REPAIR } from '../files/data-error.ts';
import { readLines } from '../files/read-lines.ts';
import { loadLine } from './load-line.ts';
import { TornTail } from './torn-tail.ts';

const BATCH_KEY = '{"batch":';

/**
 * Reads a journal, whose header is intact, into `data`.
 *
 * @param end the journal's valid length, from the next journal's header: up to there, every line must
 * be intact. Undefined for the last journal, whose last batch may be torn.
 */
export function loadJournal(
  path: string,
  end: number | undefined,
  data: Data,
  onError: OnDataError,
) {
  if (end !== undefined && statSync(path).size < end) {
    const problem = `${path} is incomplete: it should have ${end} bytes. To see its size, run: wc -c ${quote(path)}`;
    onError(new DataError({ kind: 'incomplete_file', path, problem, repair: REPAIR }));
  }
  let batch = 0;
  let isOrdered = true;
  let torn: TornTail | undefined;
  const broken: { start: number; end: number }[] = [];
  let bytes = 0;
  let firstErasedAt: number | undefined;
  /** The broken lines were on disk: they are not the trace of a crash. */
  const reportTorn = () => {
    for (const { line, byte } of torn?.brokenLines ?? []) onError(damagedLine(path, line, byte));
    torn = undefined;
  };
  for (const lines of readLines<ChangeLine>(path, end)) {
    for (let index = lines.firstNumber === 1 ? 1 : 0; index < lines.values.length; index++) {
      const record = lines.values[index];
      const [lineStart = 0, lineEnd = 0] = [lines.starts[index], lines.ends[index]];
      const offset = lines.offset + lineStart;
      const number = lines.firstNumber + index;
      if (record === undefined) {
        torn ??= new TornTail(offset);
        const line = lines.bytes.subarray(lineStart, lineEnd);
        torn.addBroken(line, number, offset);
        broken.push({ start: offset, end: offset + line.length });
        if (end !== undefined || startsLaterBatch(line, offset, torn)) reportTorn();
        continue;
      }
      const batchStart = record.batch ?? -1;
      // A batch is written once the previous one is on disk. So this batch proves that the broken
      // line, which is before it, was on disk.
      if (torn && batchStart > torn.offset) reportTorn();
      // A line continues its batch, starts one, or belongs to one that starts with a broken line.
      const isKnown = batchStart === batch || batchStart === offset;
      if (!isKnown && !broken.some(({ start, end }) => batchStart >= start && batchStart < end)) {
        // Once a line is missing, all lines after it are in another place.
        if (isOrdered) onError(wrongOrder(path, number, offset));
        isOrdered = false;
      }
      batch = batchStart;
      torn?.addIntact(lines.bytes.subarray(lineStart, lineEnd));
      firstErasedAt ??= record.erasedAt;
      loadLine(data, path, lines, index, onError);
    }
    bytes = lines.offset + (lines.ends.at(-1) ?? 0) + 1;
  }
  return { torn, bytes, erasedAt: firstErasedAt };
}

function wrongOrder(path: string, line: number, byte: number): DataError {
  const { problem } = damagedLine(path, line, byte);
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
function startsLaterBatch(line: Buffer, offset: number, torn: TornTail): boolean {
  for (let at = line.indexOf(BATCH_KEY); at !== -1; at = line.indexOf(BATCH_KEY, at + 1)) {
    const start = offset + at;
    const isStart = line.toString('latin1', at).startsWith(`${BATCH_KEY}${start},`);
    if (isStart && start > torn.offset) return true;
  }
  return false;
}
