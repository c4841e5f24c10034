import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { quote } from '../../lib/quote.ts';
import { VERSION } from '../../lib/shipped-files.ts';
import { DataError } from '../json-file/files/data-error.ts';
import { toOpenError } from '../json-file/files/folder.ts';
import {
  type BackupFile,
  ENTRY_NAME,
  MANIFEST_NAME,
  type Manifest,
  type OnProgress,
  parseManifest,
} from './backup.ts';
import { BackupError } from './backup-error.ts';
import { checkFolder, type Problem } from './check.ts';
import { actAsOwner, isFree, NewFolder } from './new-folder.ts';

/** The shape is part of `curt restore --json`. */
type RestoreReport = {
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
    const { problems, links } = await checkFolder(temporary, now).catch((error) => {
      if (!(error instanceof DataError && error.reason === 'newer')) throw error;
      throw newer(path, error.details.problem.replace(`${temporary}/`, 'Its '));
    });
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

/**
 * Unpacks an archive into an empty folder, and compares every file with its checksum.
 *
 * @throws BackupError if anything is missing, added or changed
 */
async function unpack(
  { archive, path }: { archive: FileHandle; path: string },
  folder: string,
  onProgress: OnProgress,
): Promise<Manifest> {
  const files: BackupFile[] = [];
  try {
    for await (const entry of await entriesOf(archive, onProgress)) {
      files.push(await writeEntry(entry, folder));
    }
  } catch (error) {
    // Errors of the disk have a code, such as ENOSPC; those of zlib begin with Z.
    const { code, message, cause } = error as NodeJS.ErrnoException;
    if (error instanceof BackupError || (code?.startsWith('E') && !code.startsWith('ERR_'))) {
      throw error;
    }
    throw damaged(path, cause instanceof Error ? cause.message : message);
  }
  const last = files.pop();
  if (last?.name !== MANIFEST_NAME) throw damaged(path, 'its last file is missing');
  const manifest = parseManifest(await readFile(join(folder, MANIFEST_NAME)));
  if (!manifest) throw damaged(path, `${MANIFEST_NAME} is changed`);
  if ('newerBy' in manifest) throw newer(path, `It was made by Curt ${manifest.newerBy}.`);
  if (JSON.stringify(files) !== JSON.stringify(manifest.files)) {
    throw damaged(path, 'a file does not have the checksum that was written down');
  }
  return manifest;
}

async function entriesOf(
  archive: FileHandle,
  onProgress: OnProgress,
): Promise<AsyncIterable<ParsedTarEntry>> {
  const { size } = await archive.stat();
  const chunks = Readable.from(readChunks(archive, size, onProgress));
  const bytes = Readable.toWeb(chunks) as ReadableStream<Uint8Array<ArrayBuffer>>;
  return bytes
    .pipeThrough(new DecompressionStream('gzip'))
    .pipeThrough(createTarDecoder({ strict: true })) as unknown as AsyncIterable<ParsedTarEntry>;
}

async function* readChunks(archive: FileHandle, size: number, onProgress: OnProgress) {
  let done = 0;
  for await (const chunk of archive.createReadStream({ autoClose: false })) {
    done += chunk.length;
    onProgress(done, size);
    yield chunk;
  }
}

async function writeEntry({ header, body }: ParsedTarEntry, folder: string): Promise<BackupFile> {
  const { name, type } = header;
  if (type !== 'file' || !ENTRY_NAME.test(name)) {
    await body.cancel();
    throw new BackupError(
      'damaged_backup',
      `A backup of Curt ${VERSION} does not contain "${name}". If a newer version made it, restore it with that version.`,
    );
  }
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await open(join(folder, name), 'wx', 0o600);
  try {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      bytes += chunk.length;
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { name, bytes, sha256: hash.digest('hex') };
}

function newer(path: string, reason: string): BackupError {
  return new BackupError(
    'newer_version',
    `${path} cannot be restored with Curt ${VERSION}. ${reason} Nothing was restored. Use that version or a later one.`,
  );
}

function damaged(path: string, reason: string): BackupError {
  return new BackupError(
    'damaged_backup',
    `${path} is not a complete backup of Curt: ${reason}. Nothing was restored. Use another backup.`,
  );
}
