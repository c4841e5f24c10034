import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, existsSync, rmSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { createTarPacker, type TarPackController } from 'modern-tar';
import { syncFolder } from '../json-file/files/durable-file.ts';
import {
  BackupError,
  type BackupFile,
  type BackupReport,
  type OnProgress,
} from './backup-error.ts';
import { LineVerifier } from './line-verifier.ts';
import { MANIFEST_NAME, toManifestLine } from './manifest.ts';
import { onInterrupt } from './on-interrupt.ts';
import { closeSources, openSources, type Source } from './open-sources.ts';

const CHUNK_BYTES = 256 * 1024;
/** Only its owner can read what is in a data folder. */
const MODE = 0o600;

type Damage = BackupReport['damagedLines'];

/**
 * Writes the data folder to a compressed tar archive, while a server can use it. It has everything that
 * was acknowledged before. The archive appears under its name when it is complete and on disk.
 *
 * @param now milliseconds since the epoch
 * @throws BackupError
 */
export async function backUp(
  folder: string,
  path: string,
  { now, onProgress = () => {} }: { now: number; onProgress?: OnProgress },
): Promise<BackupReport> {
  if (existsSync(path)) throw new BackupError('already_exists', `${path} already exists.`);
  const sources = await openSources(folder);
  const temporary = `${path}.${randomUUID()}.partial`;
  const settle = onInterrupt(() => rmSync(temporary, { force: true }));
  try {
    const { readable, controller } = createTarPacker();
    const hash = createHash('sha256');
    const written = pipeline(
      Readable.fromWeb(readable as import('node:stream/web').ReadableStream),
      createGzip(),
      new Transform({
        transform(chunk: Buffer, _, done) {
          hash.update(chunk);
          done(null, chunk);
        },
      }),
      createWriteStream(temporary, { flags: 'wx', mode: MODE, flush: true }),
    );
    // Both have ended before the temporary file is removed.
    const [packed, writing] = await Promise.allSettled([
      pack(sources, controller, now, onProgress),
      written,
    ]);
    if (writing.status === 'rejected') throw explainWriting(path, writing.reason);
    if (packed.status === 'rejected') throw packed.reason;
    const { files, damagedLines } = packed.value;
    await rename(temporary, path);
    await syncFolder(dirname(path));
    const { size: bytes } = await stat(path);
    return { file: path, folder, bytes, sha256: hash.digest('hex'), files, damagedLines };
  } finally {
    await closeSources(sources);
    await rm(temporary, { force: true });
    settle();
  }
}

/** Reading has failed if it is no call of the system that writes. */
function explainWriting(path: string, error: NodeJS.ErrnoException): unknown {
  const { syscall = '', code, message } = error;
  if (!['open', 'write', 'fsync', 'close'].includes(syscall)) return error;
  const problem = code === 'ENOENT' ? `${dirname(path)} does not exist. Create it first` : message;
  return new BackupError('unwritable_file', `${path} cannot be written: ${problem}.`);
}

async function pack(
  sources: Source[],
  controller: TarPackController,
  now: number,
  onProgress: OnProgress,
): Promise<{ files: BackupFile[]; damagedLines: Damage }> {
  try {
    const total = sources.reduce((sum, { bytes }) => sum + bytes, 0);
    const files: BackupFile[] = [];
    const damagedLines: Damage = [];
    let before = 0;
    let hasIdentities = false;
    const mtime = new Date(now);
    for (const source of sources) {
      const { name, bytes } = source;
      const entry = controller.add({ name, size: bytes, mode: MODE, mtime }).getWriter();
      const verifier = new LineVerifier(name.startsWith('journal-'));
      const hash = createHash('sha256');
      for (let position = 0; position < bytes; ) {
        const chunk = await readChunk(source, position);
        hash.update(chunk);
        if (source.isChecked) verifier.add(chunk);
        await entry.write(chunk);
        position += chunk.length;
        onProgress(before + position, total);
      }
      await entry.close();
      if (source.isChecked) verifier.end(source.isCutOff);
      hasIdentities ||= verifier.hasIdentities;
      before += bytes;
      files.push({ name, bytes, sha256: hash.digest('hex') });
      damagedLines.push(...verifier.damaged.map((damage) => ({ name, ...damage })));
    }
    if (hasIdentities && !files.some(({ name }) => name === 'secret')) {
      damagedLines.push({ name: 'secret', line: 1, byte: 0 });
    }
    const created = mtime.toISOString();
    const line = toManifestLine({ curt: 'backup', version: 1, created, files });
    const manifest = Buffer.from(line);
    const header = { name: MANIFEST_NAME, size: manifest.length, mode: MODE, mtime };
    const entry = controller.add(header).getWriter();
    await entry.write(manifest);
    await entry.close();
    controller.finalize();
    return { files, damagedLines };
  } catch (error) {
    controller.error(error);
    throw error;
  }
}

async function readChunk({ name, file, bytes }: Source, position: number): Promise<Buffer> {
  // A new buffer each time, because the archive holds it for a while.
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, bytes - position));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
  // After a failed write, the server has cut off what it had not acknowledged.
  if (bytesRead === 0) throw new Error(`${name} became shorter. Run the command again`);
  return buffer.subarray(0, bytesRead);
}
