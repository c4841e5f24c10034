import { statSync } from 'node:fs';
import { join } from 'node:path';
import { damagedLine } from '../json-file/files/data-error.ts';
import { readLines } from '../json-file/files/read-lines.ts';
import { type Problem, toProblem } from './problem.ts';

const REPAIR =
  'The server starts, and leaves the line out of the log. Compare it with the log of a backup.';

/**
 * Checks the lines of the audit log, which the server starts without.
 *
 * @param inUse whether a server can be writing the last line
 */
export function checkAudit(folder: string, inUse: boolean): Problem[] {
  const path = join(folder, 'audit.jsonl');
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) return [];
  const problems: Problem[] = [];
  for (const { values, starts, ends, offset, firstNumber } of readLines(path)) {
    for (const [index, value] of values.entries()) {
      const [start = 0, end = 0] = [starts[index], ends[index]];
      // An empty line follows one that was cut off.
      if (value !== undefined || start === end) continue;
      // The last line has no line feed yet.
      if (inUse && offset + end >= size) continue;
      const error = damagedLine(path, firstNumber + index, offset + start, REPAIR);
      problems.push({ ...toProblem(error), severity: 'warning', kind: 'damaged_audit' });
    }
  }
  return problems;
}
