import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Data } from '../json-file/data/data.ts';
import type { DataError } from '../json-file/files/data-error.ts';
import { toOpenError } from '../json-file/files/folder-access.ts';
import { isLocked } from '../json-file/files/folder-lock.ts';
import { readGenerations } from '../json-file/files/generations.ts';
import { loadFolder } from '../json-file/loading/load-folder.ts';
import type { TornTail } from '../json-file/loading/torn-tail.ts';
import { assertData } from './assert-data.ts';
import {
  checkAudit,
  checkPermissions,
  checkPrevious,
  checkSecret,
  type Problem,
  problemOf,
} from './check-files.ts';

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

/**
 * Reads every line of a data folder as the server does when it starts, and reports everything that is
 * wrong. Never changes anything; a server can use the folder meanwhile.
 *
 * @param now milliseconds since the epoch
 * @throws StoreOpenError if it cannot be read
 */
export async function checkFolder(folder: string, now: number): Promise<CheckReport> {
  assertData(folder);
  try {
    return await check(folder, now);
  } catch (error) {
    throw toOpenError(folder, error);
  }
}

async function check(folder: string, now: number): Promise<CheckReport> {
  const problems: Problem[] = [];
  const names = readdirSync(folder).sort();
  const inUse = checkLock(folder, problems);
  const data = new Data(() => now);
  const { torn } = loadFolder(folder, data, (error) => addError(problems, error));
  while (data.eraseSomeLinks());
  // If a server is using the folder, it is just writing this batch.
  if (torn && !inUse) problems.push(tornBatch(torn));
  problems.push(
    ...(await checkSecret(folder, data.hasIdentities)),
    ...checkAudit(folder, inUse),
    ...checkPermissions(folder, names),
    ...readGenerations(folder).previous.flatMap((name) => checkPrevious(join(folder, name))),
  );
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
  const isConsequence = error.details.kind === 'wrong_content' && problems.length > 0;
  if (!isConsequence) problems.push({ severity: 'damage', ...error.details });
}

function checkLock(folder: string, problems: Problem[]): boolean {
  try {
    return isLocked(folder);
  } catch (error) {
    const path = join(folder, 'lock');
    const problem = `${path} is not a lock file of Curt: ${(error as Error).message}.`;
    problems.push(problemOf('damage', 'wrong_lock', path, problem, 'Remove it.'));
    return false;
  }
}

function tornBatch({ path, broken: [first] }: TornTail): Problem {
  const problem = `${path} ends with an incomplete batch after a crash. It was never acknowledged.`;
  const repair = 'Nothing to do: the server moves it to journal.torn when it starts.';
  return {
    ...problemOf('warning', 'torn_batch', path, problem, repair),
    line: first?.number ?? null,
    byte: first?.start ?? null,
  };
}
