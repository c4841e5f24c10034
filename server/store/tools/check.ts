import { lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { quote } from '../../lib/quote.ts';
import { FolderData } from '../json-file/data/folder-data.ts';
import { auditPath, isDamagedEntry } from '../json-file/files/audit-file.ts';
import {
  type DataError,
  type DataErrorKind,
  type DataProblem,
  damagedLine,
} from '../json-file/files/data-error.ts';
import { isLocked, toOpenError } from '../json-file/files/folder.ts';
import { formatOf, UPGRADES } from '../json-file/files/formats.ts';
import { readGenerations, readHeader } from '../json-file/files/generations.ts';
import { type Line, LineFile } from '../json-file/files/line-file.ts';
import { readSecret, secretPath, secretRepair } from '../json-file/files/small-files.ts';
import { assertNotNewer, loadFolder } from '../json-file/loading/load-folder.ts';
import type { TornTail } from '../json-file/loading/load-journal.ts';
import { StoreOpenError } from '../store.ts';
import { assertData } from './backup-error.ts';

/** The shape is part of `curt check --json`. */
export type CheckReport = {
  folder: string;
  /** Whether the server starts with all data. */
  isHealthy: boolean;
  /** The newest format of its files, and the one that the server writes once it has started. */
  format: number;
  formatOfServer: number;
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
 * @throws StoreOpenError if it cannot be read, or if a newer version of Curt has written it
 */
export async function checkFolder(folder: string, now: number): Promise<CheckReport> {
  assertData(folder);
  try {
    assertNotNewer(folder);
    return await check(folder, now);
  } catch (error) {
    throw toOpenError(folder, error);
  }
}

async function check(folder: string, now: number): Promise<CheckReport> {
  const problems: Problem[] = [];
  const names = readdirSync(folder).sort();
  const inUse = checkLock(folder, problems);
  const data = new FolderData(() => now);
  const { torn, journals } = loadFolder(folder, data, (error) => addError(problems, error));
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
    format: Math.max(0, ...journals.map(({ version }) => version)),
    formatOfServer: formatOf(UPGRADES),
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

const AUDIT_REPAIR =
  'The server starts, and leaves the line out of the log. Compare it with the log of a backup.';
const PREVIOUS_REPAIR =
  'Nothing to do: the server does not need this file, and removes it later. But it could not go back to it if the newest snapshot were damaged.';

/** Something that is wrong with a data folder. The shape is part of `curt check --json`. */
export type Problem = {
  /** `damage`: the server does not start, or data is lost. `warning`: it starts. */
  severity: 'damage' | 'warning';
} & DataProblem<
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
  | 'other_owner'
>;

/** Returns a problem of a whole file. */
function problemOf(
  severity: Problem['severity'],
  kind: Problem['kind'],
  path: string,
  problem: string,
  repair: string,
): Problem {
  return { severity, kind, path, line: null, byte: null, problem, repair };
}

/** @param hasIdentities whether the server does not start without it */
async function checkSecret(folder: string, hasIdentities: boolean): Promise<Problem[]> {
  const path = secretPath(folder);
  const repair = secretRepair(path, hasIdentities);
  try {
    if (await readSecret(folder)) return [];
  } catch (error) {
    if (!(error instanceof StoreOpenError)) throw error;
    const problem = `${path} does not contain a secret.`;
    return [problemOf('damage', 'wrong_secret', path, problem, repair)];
  }
  const severity = hasIdentities ? 'damage' : 'warning';
  return [problemOf(severity, 'missing_secret', path, `${path} is missing.`, repair)];
}

/**
 * Checks the lines of the audit log, which the server starts without.
 *
 * @param inUse whether a server can be writing the last line
 */
function checkAudit(folder: string, inUse: boolean): Problem[] {
  const file = LineFile.openIfExists(auditPath(folder));
  if (!file) return [];
  const damaged = damagedLines(file, (line) => isDamagedEntry(line) && (line.isEnded || !inUse));
  file.close();
  return damaged.map((details) => {
    return { severity: 'warning', ...details, kind: 'damaged_audit', repair: AUDIT_REPAIR };
  });
}

/** Checks a file before the newest snapshot, which a server can remove meanwhile. */
function checkPrevious(path: string): Problem[] {
  const file = LineFile.openIfExists(path);
  if (!file) return [];
  const damaged: DataProblem[] = [];
  const header = readHeader(file, ({ details }) => damaged.push(details));
  if (header) damaged.push(...damagedLines(file, ({ value }) => value === undefined));
  file.close();
  return damaged.map((details) => {
    return { severity: 'warning', ...details, repair: PREVIOUS_REPAIR };
  });
}

function damagedLines(file: LineFile, isDamaged: (line: Line<unknown>) => boolean): DataProblem[] {
  const damaged: DataProblem[] = [];
  for (const line of file.lines()) {
    if (isDamaged(line)) damaged.push(damagedLine(file.path, line.number, line.start).details);
  }
  return damaged;
}

/** Only the owner of the folder should be able to read its files, and must be. */
function checkPermissions(folder: string, names: string[]): Problem[] {
  const owner = statSync(folder).uid;
  return names.flatMap((name) => {
    const path = join(folder, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    // Removed meanwhile, or something else than data.
    if (!stats?.isFile()) return [];
    const problems: Problem[] = [];
    // The lock is empty.
    if (process.platform !== 'win32' && name !== 'lock' && (stats.mode & 0o077) !== 0) {
      const mode = (stats.mode & 0o777).toString(8);
      const problem = `${path} has mode ${mode}: other users can read or change it.`;
      const repair = `Run: chmod 600 ${quote(path)}`;
      problems.push(problemOf('warning', 'open_permissions', path, problem, repair));
    }
    if (stats.uid !== owner) {
      const problem = `${path} belongs to user ${stats.uid}, but the folder to user ${owner}.`;
      const repair = `If the server runs as user ${owner}, run: chown ${owner} ${quote(path)}`;
      problems.push(problemOf('warning', 'other_owner', path, problem, repair));
    }
    return problems;
  });
}
