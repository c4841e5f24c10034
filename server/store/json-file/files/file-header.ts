import { toLine } from './checked-line.ts';
import { DataError, damagedLine, type OnDataError, REPAIR, showCommand } from './data-error.ts';
import type { Line, LineFile } from './line-file.ts';

/** The version of the data format. Files of a newer version are rejected, never overwritten. */
export const FORMAT_VERSION = 1;

/** The first line of a file. */
export type FileHeader = {
  curt: 'journal' | 'snapshot';
  version: number;
  generation: number;
  /**
   * Journal only: the valid length of the previous journal. Anything after it was never
   * acknowledged, and could not be cut off because the disk failed.
   */
  previousBytes?: number;
  /** Snapshot only: when it was written, if older files have content that was erased. */
  erasedAt?: number;
};

export function headerLine(
  kind: FileHeader['curt'],
  generation: number,
  previousBytes?: number,
  erasedAt?: number,
): string {
  const header: FileHeader = { curt: kind, version: FORMAT_VERSION, generation };
  if (previousBytes !== undefined) header.previousBytes = previousBytes;
  if (erasedAt !== undefined) header.erasedAt = erasedAt;
  return toLine(JSON.stringify(header).slice(1, -1));
}

/** The first line of a file; undefined if this version cannot read it, after that was reported. */
export function readHeader(file: LineFile, onError: OnDataError): FileHeader | undefined {
  const { path } = file;
  const [first] = file.lines<FileHeader>();
  // Checked first: other versions may have another kind of checksum.
  const version = first && readVersion(first);
  if (version === FORMAT_VERSION && first?.value) return first.value;
  if (version !== undefined && version > FORMAT_VERSION) onError(newerVersion(path, version));
  else if (first?.value) onError(wrongHeader(path));
  else onError(damagedLine(path, 1, 0));
  return undefined;
}

function newerVersion(path: string, version: number): DataError {
  const problem = `${path} was written by a newer version of Curt (format ${version}; this version reads format ${FORMAT_VERSION}).`;
  const repair = 'Nothing was changed. Start that version of Curt or a later one.';
  return new DataError({ kind: 'newer_format', path, line: 1, byte: 0, problem, repair });
}

function wrongHeader(path: string): DataError {
  const problem = `${path} does not start with a line that Curt has written. To see it, run: ${showCommand(path, 1)}`;
  return new DataError({ kind: 'wrong_header', path, line: 1, byte: 0, problem, repair: REPAIR });
}

/** @returns undefined if it is not the first line of a file of Curt */
function readVersion({ bytes }: Line<FileHeader>): number | undefined {
  try {
    const version = (JSON.parse(bytes.toString()) as { version?: unknown } | null)?.version;
    return typeof version === 'number' ? version : undefined;
  } catch {
    return undefined;
  }
}
