import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import type { OnProgress } from './backup.ts';
import { BackupError } from './backup-error.ts';
import {
  type BackupFile,
  ENTRY_NAME,
  MANIFEST_NAME,
  type Manifest,
  parseManifest,
} from './manifest.ts';

/**
 * Unpacks an archive into an empty folder, and compares every file with its checksum.
 *
 * @throws BackupError if anything is missing, added or changed
 */
export async function unpack(
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
  if (!manifest) throw damaged(path, `${MANIFEST_NAME} is changed, or of a newer version of Curt`);
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
    throw new BackupError('damaged_backup', `A backup does not contain "${name}".`);
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

function damaged(path: string, reason: string): BackupError {
  return new BackupError(
    'damaged_backup',
    `${path} is not a complete backup of Curt: ${reason}. Nothing was restored. Use another backup.`,
  );
}
