import { membersEnd } from '../files/checked-line.ts';
import { DataError, type OnDataError, REPAIR, showCommand } from '../files/data-error.ts';
import type { LoadedRecord } from '../files/line-record.ts';
import type { Lines } from '../files/read-lines.ts';
import type { State } from '../memory/state.ts';

const LINK_KEY = Buffer.from('"link":');
const EDIT_KEY = Buffer.from('"edit":');

/** Adds the content of a line to the state. @param index of the line among `lines` */
export function loadLine(
  state: State,
  path: string,
  lines: Lines<LoadedRecord>,
  index: number,
  onError: OnDataError,
): void {
  const record = lines.values[index];
  if (record === undefined) return;
  const { bytes, starts, ends } = lines;
  // The link is the last member of its line.
  const key = record.link ? LINK_KEY : EDIT_KEY;
  const start = record.link || record.edit ? bytes.indexOf(key, starts[index]) + key.length : 0;
  try {
    state.load(record, bytes, start, membersEnd(ends[index] ?? 0));
  } catch (error) {
    const line = lines.firstNumber + index;
    const byte = lines.offset + (starts[index] ?? 0);
    const problem = `${path}, line ${line}: ${(error as Error).message}. To see it, run: ${showCommand(path, line)}`;
    onError(new DataError({ kind: 'wrong_content', path, line, byte, problem, repair: REPAIR }));
  }
}
