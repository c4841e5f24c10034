import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Data } from '../json-file/data/data.ts';
import type { DataError } from '../json-file/files/data-error.ts';
import { explainAccess } from '../json-file/files/folder-access.ts';
import { readGenerations } from '../json-file/files/generations.ts';
import { loadFolder } from '../json-file/loading/load-folder.ts';
import { StoreOpenError } from '../store.ts';
import { checkAudit } from './check-audit.ts';
import { checkPermissions, checkSecret } from './check-files.ts';
import { checkPrevious } from './check-previous.ts';
import { isInUse } from './folder-in-use.ts';
import { type Problem, problemOf, toProblem } from './problem.ts';

/** The shape is part of `curt check --json`. */
export type CheckReport = {
  folder: string;
  /** Whether the server starts with all data. */
  isHealthy: boolean;
  /** Whether a server is using the folder. */
  inUse: boolean;
  /** Links that can be read, also deleted ones. */
  links: number;
  files: { name: string; bytes: number }[];
  /** The first ones. */
  problems: Problem[];
  /** How many more there are. */
  omittedProblems: number;
};

const PROBLEMS_MAX = 100;
/** A server that compacts removes files. It does so rarely. */
const ATTEMPTS = 5;

/**
 * Reads every line of a data folder as the server does when it starts, and reports everything that is
 * wrong. Never changes anything; a server can use the folder meanwhile.
 *
 * @param now milliseconds since the epoch
 * @throws StoreOpenError if it cannot be read
 */
export async function checkFolder(folder: string, now: number): Promise<CheckReport> {
  for (let attempt = 1; ; attempt++) {
    const before = filesOf(folder);
    try {
      return await checkOnce(folder, now);
    } catch (error) {
      const isOutdated = filesOf(folder) !== before && attempt < ATTEMPTS;
      if (!isOutdated) throw toOpenError(folder, error);
    }
  }
}

async function checkOnce(folder: string, now: number): Promise<CheckReport> {
  const problems: Problem[] = [];
  const names = readdirSync(folder).sort();
  const inUse = checkLock(folder, problems);
  const { previous, snapshot, journals } = readGenerations(folder);
  const data = new Data(() => now);
  const { torn } = loadFolder(folder, data, (error) => addError(problems, error));
  const isEmpty = snapshot === undefined && journals.length === 0;
  // If a server is using the folder, it is just writing this batch.
  if (torn && !inUse) problems.push(tornBatch(torn.path, torn.tail.brokenLines[0]));
  problems.push(
    ...(await checkSecret(folder, !isEmpty, data.hasIdentities)),
    ...checkAudit(folder, inUse),
  );
  problems.push(...checkPermissions(folder, names), ...checkPrevious(folder, previous));
  return {
    folder,
    isHealthy: !problems.some(({ severity }) => severity === 'damage'),
    inUse,
    links: data.allLinks.count,
    files: names.flatMap((name) => {
      const stats = statSync(join(folder, name), { throwIfNoEntry: false });
      return stats?.isFile() ? [{ name, bytes: stats.size }] : [];
    }),
    problems: problems.slice(0, PROBLEMS_MAX),
    omittedProblems: Math.max(0, problems.length - PROBLEMS_MAX),
  };
}

/** What does not fit the lines before it may be a consequence of damage before it. */
function addError(problems: Problem[], error: DataError): void {
  const isConsequence = error.kind === 'wrong_content' && problems.length > 0;
  if (!isConsequence) problems.push(toProblem(error));
}

function checkLock(folder: string, problems: Problem[]): boolean {
  try {
    return isInUse(folder);
  } catch (error) {
    const path = join(folder, 'lock');
    const problem = `${path} is not a lock file of Curt: ${(error as Error).message}.`;
    problems.push(problemOf('damage', 'wrong_lock', path, problem, 'Remove it.'));
    return false;
  }
}

function tornBatch(path: string, first: { line: number; byte: number } | undefined): Problem {
  return {
    severity: 'warning',
    kind: 'torn_batch',
    path,
    line: first?.line ?? null,
    byte: first?.byte ?? null,
    problem: `${path} ends with an incomplete batch after a crash. It was never acknowledged.`,
    repair: 'Nothing to do: the server moves it to journal.torn when it starts.',
  };
}

function filesOf(folder: string): string {
  try {
    return readdirSync(folder).sort().join('\n');
  } catch {
    return '';
  }
}

function toOpenError(folder: string, error: unknown): unknown {
  if (error instanceof StoreOpenError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new StoreOpenError(`${folder} is not a data folder: ${message}.`);
  }
  const explained = explainAccess(folder, error);
  if (explained instanceof StoreOpenError) return explained;
  return new StoreOpenError(`${folder} cannot be checked: ${message}.`);
}
