import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, existsSync, rmSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { packTar, type TarSource } from 'modern-tar/fs';
import { syncFolder } from '../json-file/files/durable-file.ts';
import { assertData } from './assert-data.ts';
import { BackupError } from './backup-error.ts';
import { openBackupFiles, readSources, type Source } from './backup-sources.ts';
import { type BackupFile, MANIFEST_NAME, toManifestLine } from './manifest.ts';
import { onInterrupt } from './on-interrupt.ts';

/** Called with the number of bytes that are done, and of all. */
export type OnProgress = (done: number, total: number) => void;

/** The shape is part of `curt backup --json`. */
export type BackupReport = {
  file: string;
  folder: string;
  bytes: number;
  /** The SHA-256 of the whole archive, in hexadecimal. */
  sha256: string;
  /** What is in it. */
  files: BackupFile[];
  /** Lines of the folder that are damaged or missing, and so are in the backup. */
  damagedLines: { name: string; line: number; byte: number }[];
  /** Of the audit log, without which the server starts. */
  damagedAuditLines: number;
};

const CHUNK_BYTES = 256 * 1024;
/** Only its owner can read what is in a data folder. */
const MODE = 0o600;

/**
 * Writes the data folder to a compressed tar archive, while a server can use it. It has everything that
 * was acknowledged before. The archive appears under its name when it is complete and on disk.
 *
 * @param now milliseconds since the epoch
 * @throws StoreOpenError
 */
export async function backUp(
  folder: string,
  path: string,
  { now, onProgress = () => {} }: { now: number; onProgress?: OnProgress },
): Promise<BackupReport> {
  if (existsSync(path)) throw new BackupError('already_exists', `${path} already exists.`);
  assertData(folder);
  const opened = openBackupFiles(folder);
  try {
    const { sources, damage, damagedAuditLines } = readSources(opened);
    const files = sources.map(toBackupFile);
    const sha256 = await writeArchive(path, toEntries(sources, files, new Date(now), onProgress));
    const { size: bytes } = await stat(path);
    const damagedLines = damage.map(({ details: { path, line, byte } }) => {
      return { name: basename(path), line: line ?? 1, byte: byte ?? 0 };
    });
    return { file: path, folder, bytes, sha256, files, damagedLines, damagedAuditLines };
  } finally {
    opened.close();
  }
}

/** @returns the archive's checksum */
async function writeArchive(path: string, entries: TarSource[]): Promise<string> {
  const temporary = `${path}.${randomUUID()}.partial`;
  const settle = onInterrupt(() => rmSync(temporary, { force: true }));
  const hash = createHash('sha256');
  try {
    await pipeline(
      packTar(entries),
      createGzip(),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(temporary, { flags: 'wx', mode: MODE, flush: true }),
    );
    await rename(temporary, path);
    await syncFolder(dirname(path));
    return hash.digest('hex');
  } catch (error) {
    throw explainWriting(path, error as NodeJS.ErrnoException);
  } finally {
    await rm(temporary, { force: true });
    settle();
  }
}

function toBackupFile(source: Source): BackupFile {
  const hash = createHash('sha256');
  for (const chunk of chunksOf(source)) hash.update(chunk);
  return { name: source.file.name, bytes: source.bytes, sha256: hash.digest('hex') };
}

function toEntries(
  sources: Source[],
  files: BackupFile[],
  mtime: Date,
  onProgress: OnProgress,
): TarSource[] {
  const total = sources.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const onChunk = (length: number) => {
    done += length;
    onProgress(done, total);
  };
  const manifest = { curt: 'backup', version: 1, created: mtime.toISOString(), files } as const;
  const rest = { mtime, mode: MODE };
  return [
    ...sources.map((source): TarSource => {
      const { file, bytes: size } = source;
      const content = Readable.from(chunksOf(source, onChunk), { objectMode: false });
      if (size === 0) return { type: 'content', target: file.name, content: '', ...rest };
      return { type: 'stream', target: file.name, content, size, ...rest };
    }),
    { type: 'content', target: MANIFEST_NAME, content: toManifestLine(manifest), ...rest },
  ];
}

function* chunksOf(
  { file, bytes }: Source,
  onChunk: (length: number) => void = () => {},
): Generator<Buffer> {
  for (let position = 0; position < bytes; ) {
    const chunk = file.read(position, Math.min(CHUNK_BYTES, bytes - position));
    // After a failed write, the server has cut off what it had not acknowledged.
    if (chunk.length === 0) throw new Error(`${file.name} became shorter. Run the command again.`);
    position += chunk.length;
    onChunk(chunk.length);
    yield chunk;
  }
}

/** Reading has failed if it is no call of the system that writes. */
function explainWriting(path: string, error: NodeJS.ErrnoException): unknown {
  const { syscall = '', code, message } = error;
  if (!['open', 'write', 'fsync', 'close'].includes(syscall)) return error;
  const problem = code === 'ENOENT' ? `${dirname(path)} does not exist. Create it first` : message;
  return new BackupError('unwritable_file', `${path} cannot be written: ${problem}.`);
}
