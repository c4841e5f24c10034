import { quote } from '../../../lib/quote.ts';
import { StoreOpenError } from '../../store.ts';

export type DataErrorKind =
  /** A line is not what Curt has written. */
  | 'damaged_line'
  /** A line is intact, but a line before it is missing or there twice. */
  | 'wrong_order'
  /** A line is intact, but does not fit the lines before it. */
  | 'wrong_content'
  /** The first line does not name a file of Curt. */
  | 'wrong_header'
  /** Intact, but only a newer version of Curt can read it. */
  | 'newer_format'
  | 'missing_file'
  | 'incomplete_file';

/** What is wrong with a file of the data folder. */
export type DataProblem<Kind = DataErrorKind> = {
  kind: Kind;
  path: string;
  /** Counted from 1; null for the whole file. */
  line: number | null;
  /** Where the line begins in the file. */
  byte: number | null;
  problem: string;
  /** What the operator can do. */
  repair: string;
};

/** A file of the data folder is damaged, or of a newer version. */
export class DataError extends StoreOpenError {
  override name = 'DataError';
  readonly details: DataProblem;

  constructor(details: DataProblem) {
    super(`${details.problem}\n${details.repair}`, {
      reason: details.kind === 'newer_format' ? 'newer' : 'damaged',
    });
    this.details = details;
  }
}

/** Called for each error. The store throws it; `curt check` collects it and reads on. */
export type OnDataError = (error: DataError) => void;

export const REPAIR =
  'Nothing was changed. Restore the whole folder from a backup and start again.';

/** What to do about what a version before 1.0 has written, which is as it was written. */
export const OTHER_VERSION =
  'Nothing is damaged, and nothing was changed. Start the version that wrote it, export its links there (curt export), and import them with this version (curt import) into a new folder.';

/** @param byte where the line begins in the file */
export function damagedLine(path: string, line: number, byte: number, repair = REPAIR): DataError {
  const problem = `${path}, line ${line}, is damaged. To see it, run: ${showCommand(path, line)}`;
  return new DataError({ kind: 'damaged_line', path, line, byte, problem, repair });
}

export function missingFile(path: string): DataError {
  const problem = `${path} is missing.`;
  return ofFile({ kind: 'missing_file', path, problem, repair: REPAIR });
}

/** @param trace name of a file that a server has written beside the data */
export function missingData(folder: string, trace: string): DataError {
  const problem = `${folder} was in use, since it has ${quote(trace)}, but its journals and snapshots are missing.`;
  const repair =
    'Nothing was changed. Restore the whole folder from a backup, or set STORE_URL to a new folder.';
  return ofFile({ kind: 'missing_file', path: folder, problem, repair });
}

function ofFile(details: Omit<DataProblem, 'line' | 'byte'>): DataError {
  return new DataError({ ...details, line: null, byte: null });
}

/** @param line the first one that is missing @param byte where it would begin */
export function incompleteFile(
  path: string,
  line: number,
  byte: number,
  reason: string,
  repair = REPAIR,
): DataError {
  const problem = `${path} is incomplete: ${reason}`;
  return new DataError({ kind: 'incomplete_file', path, line, byte, problem, repair });
}

/** Returns the shell command that prints a line of a file. */
export function showCommand(path: string, line: number): string {
  return `sed -n ${line}p ${quote(path)}`;
}
