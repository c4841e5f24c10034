import { quote } from '../../../lib/quote.ts';
import type { ChangeLine } from '../files/change-line.ts';
import {
  DataError,
  damagedLine,
  incompleteFile,
  type OnDataError,
  REPAIR,
} from '../files/data-error.ts';
import type { Line, LineFile } from '../files/line-file.ts';
import { loadLine, type Receiver } from './load-line.ts';
import { TornTail } from './torn-tail.ts';

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
    loadLine(line, path, to, onError);
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
