import { closeSync, openSync } from 'node:fs';
import { journalPath, readGenerations, snapshotPath } from '../json-file/files/generations.ts';
import { StoreOpenError } from '../store.ts';

type BackupErrorCode =
  /** There is a file or a folder with content where the command would write. */
  | 'already_exists'
  /** The archive to restore cannot be opened. */
  | 'no_backup'
  /** The folder is missing, or has no data of Curt. */
  | 'no_data'
  /** The archive cannot be written. */
  | 'unwritable_file'
  /** The file is not a backup, or is cut off or changed. */
  | 'damaged_backup'
  /** Only a newer version of Curt can restore it. */
  | 'newer_version';

/** A backup cannot be made or restored. The message tells the operator what to do. */
export class BackupError extends StoreOpenError {
  override name = 'BackupError';
  readonly code: BackupErrorCode;

  constructor(code: BackupErrorCode, message: string) {
    super(message, { reason: code === 'newer_version' ? 'newer' : 'other' });
    this.code = code;
  }
}

const ADVICE = 'Name the data folder of the server, or set STORE_URL as for the server.';

const UNREADABLE =
  'cannot be read by this user. Run the command as the user of the server, for example with sudo -u curt.';

/** @throws BackupError `no_data` unless the folder has data of Curt that this user can read */
export function assertData(folder: string): void {
  const { snapshot, journals } = readNames(folder);
  const paths = journals.map((generation) => journalPath(folder, generation));
  if (snapshot !== undefined) paths.push(snapshotPath(folder, snapshot));
  if (paths.length === 0) {
    throw new BackupError('no_data', `${folder} has no data of Curt. ${ADVICE}`);
  }
  const secret = paths.find((path) => !isReadable(path));
  if (secret !== undefined) throw new BackupError('no_data', `${secret} ${UNREADABLE}`);
}

/** Also if it is gone: a server that runs removes files that it no longer needs. */
function isReadable(path: string): boolean {
  try {
    closeSync(openSync(path, 'r'));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EACCES';
  }
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
  return UNREADABLE;
}
