import { StoreOpenError } from '../store.ts';

export type BackupErrorCode =
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
