import { rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { quote } from '../../lib/quote.ts';
import { toOpenError } from '../json-file/files/folder-access.ts';
import { actAsOwner } from './act-as-owner.ts';
import type { OnProgress } from './backup.ts';
import { BackupError } from './backup-error.ts';
import { checkFolder } from './check.ts';
import type { Problem } from './check-files.ts';
import { type BackupFile, MANIFEST_NAME } from './manifest.ts';
import { isFree, NewFolder } from './new-folder.ts';
import { unpack } from './unpack.ts';

/** The shape is part of `curt restore --json`. */
export type RestoreReport = {
  file: string;
  folder: string;
  /** When the backup was made, in UTC. */
  created: string;
  links: number;
  files: BackupFile[];
};

type Options = { now: number; onProgress?: OnProgress };

/**
 * Restores a backup into a new or empty folder. Everything is unpacked into a folder inside it and
 * checked, line by line, before a file gets its place. If that is interrupted, the folder does not open,
 * or is still empty.
 *
 * @param now milliseconds since the epoch
 * @throws BackupError
 */
export async function restore(
  path: string,
  folder: string,
  options: Options,
): Promise<RestoreReport> {
  // The user who runs the server may not be able to read it.
  const archive = await openArchive(path);
  try {
    const stopActing = actAsOwner(folder);
    try {
      return await restoreFrom(archive, path, folder, options);
    } catch (error) {
      throw toOpenError(folder, error);
    } finally {
      stopActing();
    }
  } finally {
    await archive.close();
  }
}

async function openArchive(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const problem = code === 'ENOENT' ? 'does not exist' : `cannot be read: ${message}`;
    throw new BackupError('no_backup', `${path} ${problem}.`);
  }
}

async function restoreFrom(
  archive: FileHandle,
  path: string,
  folder: string,
  { now, onProgress = () => {} }: Options,
): Promise<RestoreReport> {
  if (!isFree(folder)) {
    throw new BackupError('already_exists', `${folder} is not empty. Choose a new folder.`);
  }
  const restored = new NewFolder(folder);
  const { temporary } = restored;
  try {
    const { created, files } = await unpack({ archive, path }, temporary, onProgress);
    const { problems, links } = await checkFolder(temporary, now);
    const damage = problems.find(({ severity }) => severity === 'damage');
    if (damage) throw damagedThen(path, damage);
    rmSync(join(temporary, MANIFEST_NAME));
    await restored.complete();
    return { file: path, folder, created, links, files };
  } finally {
    restored.close();
  }
}

/** The files in which the problem was found are removed. */
function damagedThen(path: string, { path: file, line, kind }: Problem): BackupError {
  const place = `${basename(file)}${line === null ? '' : `, line ${line}`}`;
  return new BackupError(
    'damaged_backup',
    `${path} is as it was written, but the folder was damaged then: ${place} (${kind}). Nothing was restored. Use an older backup. To repair this one, unpack it into an empty folder with \`tar -xzf ${quote(path)}\`, remove ${MANIFEST_NAME}, and run \`curt check\` there.`,
  );
}
