import { writeLastBackup } from '../json-file/files/last-backup.ts';
import { actAsOwner } from './act-as-owner.ts';

/**
 * Lets the server of the folder know of a backup.
 *
 * @param now milliseconds since the epoch
 * @throws Error if the folder cannot be written, such as by a user who may only read it
 */
export async function noteBackup(folder: string, now: number): Promise<void> {
  const restoreRights = actAsOwner(folder);
  try {
    await writeLastBackup(folder, now);
  } finally {
    restoreRights();
  }
}
