import { readGenerations } from '../json-file/files/generations.ts';
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
  | 'damaged_backup';

/** A backup cannot be made or restored. The message tells the operator what to do. */
export class BackupError extends StoreOpenError {
  override name = 'BackupError';
  readonly code: BackupErrorCode;

  constructor(code: BackupErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

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
