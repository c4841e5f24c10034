import type { Data } from '../data/data.ts';
import { applyLine, type ChangeLine } from '../files/change-line.ts';
import { DataError, type OnDataError, REPAIR, showCommand } from '../files/data-error.ts';
import type { Lines } from '../files/read-lines.ts';

/** Adds the content of an intact line to the data. @param index of the line among `lines` */
export function loadLine(
  data: Data,
  path: string,
  lines: Lines<ChangeLine>,
  index: number,
  onError: OnDataError,
): void {
  try {
    applyLine(lines.values[index] ?? {}, data);
  } catch (error) {
    const line = lines.firstNumber + index;
    const byte = lines.offset + (lines.starts[index] ?? 0);
    const problem = `${path}, line ${line}: ${(error as Error).message}. To see it, run: ${showCommand(path, line)}`;
    onError(new DataError({ kind: 'wrong_content', path, line, byte, problem, repair: REPAIR }));
  }
}
