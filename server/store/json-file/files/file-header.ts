import { StoreOpenError } from '../../store.ts';
import { toLine } from './checked-line.ts';

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

/**
 * @param text the file's first line, intact or not
 * @param header its content if it is intact
 * @throws StoreOpenError if it has another version or is not a header
 */
export function checkHeader(path: string, text: string, header: unknown): FileHeader {
  // Checked first: other versions may have another kind of checksum.
  const version = readVersion(text);
  if (version !== undefined && version > FORMAT_VERSION) throw newerVersion(path, version);
  if (header === undefined) throw brokenLine(path, 1);
  if (version !== FORMAT_VERSION) {
    throw new StoreOpenError(
      `${path} does not start with a line that Curt has written. To see it, run: ${showCommand(path, 1)}\n${ADVICE}`,
    );
  }
  return header as FileHeader;
}

export const ADVICE =
  'Nothing was changed. Restore the whole folder from a backup and start again.';

function newerVersion(path: string, version: number): StoreOpenError {
  return new StoreOpenError(
    `${path} was written by a newer version of Curt (format ${version}; this version reads format ${FORMAT_VERSION}). ` +
      'Nothing was changed. Start that version of Curt or a later one.',
  );
}

export function brokenLine(path: string, number: number, advice = ADVICE): StoreOpenError {
  return new StoreOpenError(
    `${path}, line ${number}, is damaged. To see it, run: ${showCommand(path, number)}\n${advice}`,
  );
}

/** The shell command that prints a line of a file. */
export function showCommand(path: string, number: number): string {
  return `sed -n ${number}p '${path.replaceAll("'", `'\\''`)}'`;
}

function readVersion(text: string): number | undefined {
  try {
    const version = (JSON.parse(text) as { version?: unknown } | null)?.version;
    return typeof version === 'number' ? version : undefined;
  } catch {
    return undefined;
  }
}
