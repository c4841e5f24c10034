import { readGenerations } from '../json-file/files/generations.ts';
import { BackupError } from './backup-error.ts';

const ADVICE = 'Name the data folder of the server, or set STORE_URL as for the server.';

/** @throws BackupError `no_data` unless the folder has data of Curt that this user can list */
export function assertData(folder: string): void {
  const { snapshot, journals } = readNames(folder);
  if (snapshot !== undefined || journals.length > 0) return;
  throw new BackupError('no_data', `${folder} has no data of Curt. ${ADVICE}`);
}

function readNames(folder: string) {
  try {
    return readGenerations(folder);
  } catch (error) {
    throw new BackupError('no_data', `${folder} ${explain(error as NodeJS.ErrnoException)}`);
  }
}

function explain({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return `does not exist. ${ADVICE}`;
  if (code === 'ENOTDIR') return `is not a folder. ${ADVICE}`;
  if (code !== 'EACCES') return `cannot be read: ${message}.`;
  return 'cannot be read by this user. Run the command as the user of the server, for example with sudo -u curt.';
}
