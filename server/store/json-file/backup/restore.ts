import { randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BackupError, type OnProgress, type RestoreReport } from '../../backup.ts';
import { checkFolder } from '../check/check-folder.ts';
import { syncFolder } from '../files/durable-file.ts';
import { lockFolder } from '../files/folder-lock.ts';
import { MANIFEST_NAME } from './manifest.ts';
import { unpack } from './unpack.ts';

/** A new file system has it. */
const IGNORED = ['lost+found'];

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
  const isNew = !existsSync(folder);
  if (!isNew && readdirSync(folder).some((name) => !IGNORED.includes(name))) {
    throw new BackupError('already_exists', `${folder} is not empty. Choose a new folder.`);
  }
  const temporary = isNew
    ? join(dirname(folder), `.${basename(folder)}.${randomUUID()}`)
    : join(folder, `.restore.${randomUUID()}`);
  // Another program can be about to create a store there.
  const unlock = isNew ? () => {} : lockFolder(folder);
  try {
    mkdirSync(temporary, { recursive: true, mode: 0o700 });
    const { created, files } = await unpack(path, temporary, onProgress);
    const { isHealthy, links, problems } = await checkFolder(temporary, now);
    if (!isHealthy) {
      throw new BackupError(
        'damaged_backup',
        `${path} is as it was written, but the folder was damaged then: ${problems[0]?.problem}`,
      );
    }
    rmSync(join(temporary, MANIFEST_NAME));
    await syncFolder(temporary);
    if (isNew) renameSync(temporary, folder);
    else moveInto(folder, temporary);
    await syncFolder(isNew ? dirname(folder) : folder);
    return { file: path, folder, created, links, files };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
    unlock();
  }
}

/**
 * Moves files so that the folder opens only with all of them: the one with which the state begins comes
 * last, and the other journals from the newest on.
 */
function moveInto(folder: string, temporary: string): void {
  const { uid, gid } = statSync(folder);
  const names = readdirSync(temporary).sort().reverse();
  const first = names.filter((name) => name.startsWith('snapshot-'));
  const journals = names.filter((name) => name.startsWith('journal-'));
  const others = names.filter((name) => !first.includes(name) && !journals.includes(name));
  // An administrator restores for the user who runs the server.
  const isAdministrator = process.geteuid?.() === 0;
  if (isAdministrator) chownSync(join(folder, 'lock'), uid, gid);
  for (const name of [...others, ...journals, ...first]) {
    if (isAdministrator) chownSync(join(temporary, name), uid, gid);
    renameSync(join(temporary, name), join(folder, name));
  }
}
