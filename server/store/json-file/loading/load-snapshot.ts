import { existsSync } from 'node:fs';
import type { Data } from '../data/data.ts';
import type { ChangeLine } from '../files/change-line.ts';
import { DataError, damagedLine, type OnDataError, quote, REPAIR } from '../files/data-error.ts';
import type { FileHeader } from '../files/file-header.ts';
import { snapshotPath } from '../files/generations.ts';
import { readLines } from '../files/read-lines.ts';
import { loadLine } from './load-line.ts';
import { headerOf } from './read-header.ts';

const HEADER_LINE = 1;

/** @returns undefined if the header is damaged, after that was reported */
export function loadSnapshot(
  folder: string,
  generation: number,
  data: Data,
  onError: OnDataError,
): FileHeader | undefined {
  const path = snapshotPath(folder, generation);
  const before = snapshotPath(folder, generation - 1);
  const repair = existsSync(before)
    ? `Nothing was changed. The previous generation still exists: move this file away, and the server starts from ${before} and the journals after it, without losing data.`
    : REPAIR;
  let header: FileHeader | undefined;
  let isComplete = false;
  for (const lines of readLines<ChangeLine>(path)) {
    if (lines.firstNumber === 1) header = headerOf(path, lines, onError);
    if (!header) return undefined;
    for (const [index, record] of lines.values.entries()) {
      if (lines.firstNumber + index === HEADER_LINE) continue;
      if (record === undefined) {
        const byte = lines.offset + (lines.starts[index] ?? 0);
        onError(damagedLine(path, lines.firstNumber + index, byte, repair));
        continue;
      }
      loadLine(data, path, lines, index, onError);
      isComplete = record.end !== undefined;
    }
  }
  if (!isComplete) {
    const problem = `${path} is incomplete: its last line is missing. To see how it ends, run: tail -n 1 ${quote(path)}`;
    onError(new DataError({ kind: 'incomplete_file', path, problem, repair }));
  }
  return header;
}
