import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { BackupError, type BackupFile, type OnProgress } from './backup-error.ts';
import { ENTRY_NAME, MANIFEST_NAME, type Manifest, parseManifest } from './manifest.ts';

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
  let done = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _, next) {
      done += chunk.length;
      onProgress(done, size);
      next(null, chunk);
    },
  });
  const gunzip = createGunzip();
  const stream = archive.createReadStream({ autoClose: false });
  for (const [from, to] of [
    [stream, counted],
    [counted, gunzip],
  ] as const) {
    from.on('error', (error) => to.destroy(error));
    from.pipe(to);
  }
  const bytes = Readable.toWeb(gunzip) as ReadableStream<Uint8Array>;
  return bytes.pipeThrough(
    createTarDecoder({ strict: true }),
  ) as unknown as AsyncIterable<ParsedTarEntry>;
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
