import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../../lib/shipped-files.ts';
import { DataError, damagedLine, type OnDataError, REPAIR, showCommand } from './data-error.ts';
import { formatOf, UPGRADES } from './formats.ts';
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

/** The first line of a file. Later formats keep `version` and `by`, by which an older server refuses them. */
export type FileHeader = {
  curt: 'journal' | 'snapshot';
  /** The format, see `formatOf`. */
  version: number;
  /** The version of Curt that created the file. */
  by: string;
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
  {
    erasedAt,
    version = formatOf(UPGRADES),
  }: { erasedAt?: number | undefined; version?: number | undefined } = {},
): string {
  const header: FileHeader = { curt: kind, version, by: VERSION, generation };
  if (previousBytes !== undefined) header.previousBytes = previousBytes;
  if (erasedAt !== undefined) header.erasedAt = erasedAt;
  return toLine(header);
}

/**
 * Reads the first line of a file; undefined if this version cannot read it, after that was reported.
 *
 * @param format the newest one that can be read
 */
export function readHeader(
  file: LineFile,
  onError: OnDataError,
  format = formatOf(UPGRADES),
): FileHeader | undefined {
  const { path } = file;
  const [first] = file.lines<FileHeader>();
  // Looked at first: later formats may have another kind of checksum.
  const { version, by } = first ? readFormat(first) : {};
  if (version !== undefined && version > format) onError(newerFormat(path, version, by, format));
  else if (first?.value && version !== undefined && version >= 1) return first.value;
  else if (first?.value) onError(wrongHeader(path));
  else onError(damagedLine(path, 1, 0));
  return undefined;
}

function newerFormat(path: string, version: number, by: unknown, format: number): DataError {
  const author = typeof by === 'string' ? `Curt ${by}` : 'a newer version of Curt';
  const problem = `${path} was written by ${author}, in format ${version}. This is Curt ${VERSION}, which reads formats up to ${format}.`;
  const repair =
    'Nothing was changed. Start that version or a later one, or restore a backup from before the upgrade.';
  return new DataError({ kind: 'newer_format', path, line: 1, byte: 0, problem, repair });
}

function wrongHeader(path: string): DataError {
  const problem = `${path} does not start with a line that Curt has written. To see it, run: ${showCommand(path, 1)}`;
  return new DataError({ kind: 'wrong_header', path, line: 1, byte: 0, problem, repair: REPAIR });
}

/** Nothing if it is not the first line of a file of Curt. */
function readFormat({ bytes }: Line<FileHeader>): { version?: number; by?: unknown } {
  try {
    const header = JSON.parse(bytes.toString()) as { version?: unknown; by?: unknown } | null;
    return Number.isInteger(header?.version) ? (header as { version: number }) : {};
  } catch {
    return {};
  }
}
