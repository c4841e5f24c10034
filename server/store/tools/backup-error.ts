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

/** Called with the number of bytes that are done, and of all. */
export type OnProgress = (done: number, total: number) => void;

/** The shape is part of `curt backup --json`. */
export type BackupReport = {
  file: string;
  folder: string;
  bytes: number;
  /** Of the whole archive, in hexadecimal. */
  sha256: string;
  /** What is in it. */
  files: BackupFile[];
  /** Lines of the folder that are damaged or missing, and so are in the backup. */
  damagedLines: { name: string; line: number; byte: number }[];
};

export type BackupFile = {
  name: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
};

/** The shape is part of `curt restore --json`. */
export type RestoreReport = {
  file: string;
  folder: string;
  /** When the backup was made, in UTC. */
  created: string;
  links: number;
  files: BackupFile[];
};
