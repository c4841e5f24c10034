import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { quote } from '../json-file/files/data-error.ts';
import { readSecret, secretPath, secretRepair } from '../json-file/files/secret-file.ts';
import { StoreOpenError } from '../store.ts';
import { type Problem, problemOf } from './problem.ts';

/**
 * @param hasData whether there are links that an earlier secret may belong to
 * @param hasIdentities whether the server does not start without it
 */
export async function checkSecret(
  folder: string,
  hasData: boolean,
  hasIdentities: boolean,
): Promise<Problem[]> {
  const path = secretPath(folder);
  const repair = secretRepair(path, hasIdentities);
  try {
    if (!hasData || (await readSecret(folder))) return [];
  } catch (error) {
    if (!(error instanceof StoreOpenError)) throw error;
    const problem = `${path} does not contain a secret.`;
    return [problemOf('damage', 'wrong_secret', path, problem, repair)];
  }
  const severity = hasIdentities ? 'damage' : 'warning';
  return [problemOf(severity, 'missing_secret', path, `${path} is missing.`, repair)];
}

/** Only the owner of the folder should be able to read its files, and must be. */
export function checkPermissions(folder: string, names: string[]): Problem[] {
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
      problems.push(
        problemOf(
          'warning',
          'open_permissions',
          path,
          `${path} has mode ${mode}: other users can read or change it.`,
          `Run: chmod 600 ${quote(path)}`,
        ),
      );
    }
    if (stats.uid !== owner) {
      problems.push(
        problemOf(
          'warning',
          'other_owner',
          path,
          `${path} belongs to user ${stats.uid}, but the folder to user ${owner}.`,
          `If the server runs as user ${owner}, run: chown ${owner} ${quote(path)}`,
        ),
      );
    }
    return problems;
  });
}
