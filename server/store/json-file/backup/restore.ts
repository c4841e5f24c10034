import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { BackupError, type OnProgress, type RestoreReport } from '../../backup.ts';
import { checkFolder } from '../check/check-folder.ts';
import { isFree, NewFolder } from '../new-folder.ts';
import { MANIFEST_NAME } from './manifest.ts';
import { unpack } from './unpack.ts';

/**
 * Restores a backup into a new or empty folder. Everything is unpacked beside it and checked, line by
 * line, before a file gets its place. If that is interrupted, the folder does not open, or is still empty.
 *
 * @param now milliseconds since the epoch
 * @throws BackupError
 */
export async function restore(
  path: string,
  folder: string,
  { now, onProgress = () => {} }: { now: number; onProgress?: OnProgress },
): Promise<RestoreReport> {
  if (!isFree(folder)) {
    throw new BackupError('already_exists', `${folder} is not empty. Choose a new folder.`);
  }
  const restored = new NewFolder(folder);
  const { temporary } = restored;
  try {
    const { created, files } = await unpack(path, temporary, onProgress);
    const { isHealthy, links, problems } = await checkFolder(temporary, now);
    if (!isHealthy) {
      throw new BackupError(
        'damaged_backup',
        `${path} is as it was written, but the folder was damaged then: ${problems[0]?.problem}`,
      );
    }
    rmSync(join(temporary, MANIFEST_NAME));
    await restored.complete();
    return { file: path, folder, created, links, files };
  } finally {
    restored.close();
  }
}
