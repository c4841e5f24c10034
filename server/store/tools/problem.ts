import type { DataError, DataErrorKind } from '../json-file/files/data-error.ts';

/** Something that is wrong with a data folder. The shape is part of `curt check --json`. */
export type Problem = {
  /** `damage`: the server does not start, or data is lost. `warning`: it starts. */
  severity: 'damage' | 'warning';
  kind:
    | DataErrorKind
    /** A line of the audit log is not what Curt has written. */
    | 'damaged_audit'
    /** Lines of requests that were never answered, after a crash. */
    | 'torn_batch'
    | 'missing_secret'
    | 'wrong_secret'
    | 'wrong_lock'
    /** Others can read a file. */
    | 'open_permissions'
    /** A file belongs to another user than the folder. */
    | 'other_owner';
  path: string;
  /** From 1. */
  line: number | null;
  /** Where the line begins in the file. */
  byte: number | null;
  problem: string;
  repair: string;
};

export function toProblem(
  { kind, path, line, byte, problem, repair }: DataError,
  severity: Problem['severity'] = 'damage',
  otherRepair = repair,
): Problem {
  const place = { path, line: line ?? null, byte: byte ?? null };
  return { severity, kind, ...place, problem, repair: otherRepair };
}

/** A problem of a whole file. */
export function problemOf(
  severity: Problem['severity'],
  kind: Problem['kind'],
  path: string,
  problem: string,
  repair: string,
): Problem {
  return { severity, kind, path, line: null, byte: null, problem, repair };
}
