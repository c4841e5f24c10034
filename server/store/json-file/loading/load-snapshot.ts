import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { quote } from '../../../lib/quote.ts';
import type { ChangeLine } from '../files/change-line.ts';
import { damagedLine, incompleteFile, type OnDataError, REPAIR } from '../files/data-error.ts';
import { type FileHeader, readHeader } from '../files/file-header.ts';
import { snapshotPath } from '../files/generations.ts';
import { loadLine, type Receiver } from './load-line.ts';
import type { DataFile } from './open-data-files.ts';

/** The header, and the last line itself. */
const UNCOUNTED_LINES = 2;

/** @returns undefined if the header is damaged, after that was reported */
export function loadSnapshot(
  { file, generation }: DataFile,
  to: Receiver,
  onError: OnDataError,
): FileHeader | undefined {
  const { path } = file;
  const header = readHeader(file, onError);
  if (!header) return undefined;
  const before = snapshotPath(dirname(path), generation - 1);
  const repair = existsSync(before)
    ? `Nothing was changed. The previous generation still exists: move this file away, and the server starts from ${before} and the journals after it, without losing data.`
    : REPAIR;
  let [lines, bytes] = [0, 0];
  let counted: number | undefined;
  for (const line of file.lines<ChangeLine>()) {
    // Here the file is cut off.
    if (!line.isEnded) break;
    lines = line.number;
    bytes = line.end;
    counted = line.value?.end;
    if (lines === 1) continue;
    if (line.value) loadLine(line, path, to, onError);
    else onError(damagedLine(path, line.number, line.start, repair));
  }
  const reason =
    counted === undefined
      ? `its last line is missing. To see how it ends, run: tail -n 1 ${quote(path)}`
      : `it should have ${counted + UNCOUNTED_LINES} lines. To count them, run: wc -l ${quote(path)}`;
  if (counted !== lines - UNCOUNTED_LINES) {
    onError(incompleteFile(path, lines + 1, bytes, reason, repair));
  }
  return header;
}
