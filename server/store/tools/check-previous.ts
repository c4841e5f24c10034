import { join } from 'node:path';
import { damagedLine } from '../json-file/files/data-error.ts';
import { readLines } from '../json-file/files/read-lines.ts';
import { readHeader } from '../json-file/loading/read-header.ts';
import { type Problem, toProblem } from './problem.ts';

const REPAIR =
  'Nothing to do: the server does not need this file, and removes it later. But it could not go back to it if the newest snapshot were damaged.';

/** Checks the lines of files before the newest snapshot. */
export function checkPrevious(folder: string, names: string[]): Problem[] {
  return names.flatMap((name) => {
    const problems: Problem[] = [];
    try {
      const path = join(folder, name);
      const header = readHeader(path, (error) => problems.push(toProblem(error)));
      if (header) {
        for (const { values, starts, offset, firstNumber } of readLines(path)) {
          for (const [index, value] of values.entries()) {
            if (value !== undefined) continue;
            const byte = offset + (starts[index] ?? 0);
            problems.push(toProblem(damagedLine(path, firstNumber + index, byte)));
          }
        }
      }
    } catch (error) {
      // The server has removed it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return problems.map((problem) => ({
      ...problem,
      severity: 'warning' as const,
      repair: REPAIR,
    }));
  });
}
