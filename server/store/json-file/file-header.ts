import { StoreOpenError } from '../store.ts';
import { toLine } from './checked-line.ts';

/**
 * The version of the files that are written. 3 has lines that edit a link, which a server of
 * version 2 would pass over without a word. A newer version is refused: what this server cannot
 * read, it could only lose.
 */
export const FORMAT_VERSION = 3;
/** All that 2 can say, 3 says alike: its files are read, and the next one is of the version above. */
const OLDEST_VERSION = 2;

/** The first line of a file. */
export type FileHeader = {
  curt: 'journal' | 'snapshot';
  version: number;
  generation: number;
  /**
   * Journal only: how much of the journal before it holds. What stands behind that was never
   * acknowledged, and could not be cut off when the disk failed.
   */
  previousBytes?: number;
};

export function headerLine(
  kind: FileHeader['curt'],
  generation: number,
  previousBytes?: number,
): string {
  const header: FileHeader = { curt: kind, version: FORMAT_VERSION, generation };
  if (previousBytes !== undefined) header.previousBytes = previousBytes;
  return toLine(JSON.stringify(header).slice(1, -1));
}

/**
 * @param text the file's first line, whole or not
 * @param header what it says, if it is whole
 * @throws StoreOpenError another version wrote it, or it is no header at all
 */
export function checkHeader(path: string, text: string, header: unknown): FileHeader {
  // Before the checksum: another version may have another one.
  const version = readVersion(text);
  if (version !== undefined && version > FORMAT_VERSION) throw newerVersion(path, version);
  if (header === undefined) throw brokenLine(path, 1);
  if (version === undefined || version < OLDEST_VERSION) {
    throw new StoreOpenError(
      `${path} has a first line that Curt does not write. See it with: ${showCommand(path, 1)}\n${ADVICE}`,
    );
  }
  return header as FileHeader;
}

export const ADVICE =
  'Nothing was changed. Put a backup of the whole folder in its place, and start again.';

function newerVersion(path: string, version: number): StoreOpenError {
  return new StoreOpenError(
    `${path} was written by a newer Curt (format ${version}; this one reads ${FORMAT_VERSION}). ` +
      'Nothing was changed. Start that version, or a newer one.',
  );
}

export function brokenLine(path: string, number: number, advice = ADVICE): StoreOpenError {
  return new StoreOpenError(
    `${path}, line ${number}, is broken: it is not what Curt wrote there. See it with: ${showCommand(path, number)}\n${advice}`,
  );
}

/** The command that prints a line of a file. */
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
