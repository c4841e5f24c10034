import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DataError, damagedLine, type OnDataError, REPAIR, showCommand } from './data-error.ts';
import { type Line, type LineFile, toLine } from './line-file.ts';

/**
 * The files in the folder are numbered by generation. `snapshot-000007.jsonl` is the complete state
 * when `journal-000007.jsonl` began; a journal contains every change until the next one begins. So the
 * current state is a snapshot plus all journals from its number on.
 */
type Generations = {
  /** The newest snapshot's number; undefined before there is one. */
  snapshot: number | undefined;
  /** The numbers of the journals after it, in order. */
  journals: number[];
  /** Names of files that are no longer needed, in the order in which to remove them. */
  outdated: string[];
  /** Names of all files before the newest snapshot. */
  previous: string[];
  /** Names of temporary files, possibly left over from a crash. */
  unfinished: string[];
};

const NAME = /^(snapshot|journal)-(\d{6,})\.jsonl$/;
const TEMPORARY = /^(snapshot|journal)-\d{6,}\.jsonl\.tmp$/;

export function snapshotPath(folder: string, generation: number): string {
  return join(folder, fileName('snapshot', generation));
}

export function journalPath(folder: string, generation: number): string {
  return join(folder, fileName('journal', generation));
}

/**
 * A generation becomes outdated only when the next but one is complete, so that a copy of the folder,
 * which takes a while, still finds all the files that belonged together when it started.
 */
export function readGenerations(folder: string): Generations {
  const names = readdirSync(folder);
  const found = names.flatMap((name) => {
    const [, kind, digits] = NAME.exec(name) ?? [];
    return kind && digits ? [{ name, kind, generation: Number(digits) }] : [];
  });
  const numbersOf = (kind: string) =>
    found
      .filter((file) => file.kind === kind)
      .map(({ generation }) => generation)
      .sort((one, other) => one - other);
  const [before, snapshot] = [undefined, undefined, ...numbersOf('snapshot')].slice(-2);
  // A generation's snapshot comes first: as long as it exists, all files after it do, too.
  found.sort((a, b) => a.generation - b.generation || (a.kind === 'snapshot' ? -1 : 1));
  const namesBefore = (end: number | undefined) =>
    found.flatMap(({ name, generation }) => {
      return end !== undefined && generation < end ? [name] : [];
    });
  return {
    snapshot,
    journals: numbersOf('journal').filter((generation) => generation >= (snapshot ?? 0)),
    outdated: namesBefore(before),
    previous: namesBefore(snapshot),
    unfinished: names.filter((name) => TEMPORARY.test(name)),
  };
}

function fileName(kind: string, generation: number): string {
  return `${kind}-${String(generation).padStart(6, '0')}.jsonl`;
}

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

/** Reads the first line of a file; undefined if this version cannot read it, after that was reported. */
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
