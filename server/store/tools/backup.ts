import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, existsSync, rmSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { packTar, type TarSource } from 'modern-tar/fs';
import { z } from 'zod';
import { VERSION } from '../../lib/shipped-files.ts';
import { auditPath, isDamagedEntry } from '../json-file/files/audit-file.ts';
import { type DataError, damagedLine, missingFile } from '../json-file/files/data-error.ts';
import { isIntact, LineFile, toLine } from '../json-file/files/line-file.ts';
import { parseSecret, secretPath, syncFolder } from '../json-file/files/small-files.ts';
import { type DataFiles, loadFiles, openDataFiles } from '../json-file/loading/load-folder.ts';
import type { Receiver } from '../json-file/loading/load-line.ts';
import { assertData, BackupError } from './backup-error.ts';
import { onInterrupt } from './new-folder.ts';

/** Called with the number of bytes that are done, and of all. */
export type OnProgress = (done: number, total: number) => void;

/** The shape is part of `curt backup --json`. */
type BackupReport = {
  file: string;
  folder: string;
  bytes: number;
  /** The SHA-256 of the whole archive, in hexadecimal. */
  sha256: string;
  /** What is in it. */
  files: BackupFile[];
  /** Lines of the folder that are damaged or missing, and so are in the backup. */
  damagedLines: { name: string; line: number; byte: number }[];
  /** Damaged lines of the audit log, without which the server starts. */
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
  const head = { curt: 'backup', version: MANIFEST_VERSION, by: VERSION } as const;
  const manifest = { ...head, created: mtime.toISOString(), files };
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

/** The files to back up. `lock` and `journal.torn` are not part of the data. */
type BackupFiles = {
  data: DataFiles;
  secret: LineFile | undefined;
  audit: LineFile | undefined;
  close: () => void;
};

/** A file, and how much of it to back up. */
type Source = { file: LineFile; bytes: number };

type Sources = {
  sources: Source[];
  damage: DataError[];
  /** No damage: the server starts without them. */
  damagedAuditLines: number;
};

function openBackupFiles(folder: string): BackupFiles {
  const data = openDataFiles(folder);
  const secret = LineFile.openIfExists(secretPath(folder));
  const audit = LineFile.openIfExists(auditPath(folder));
  const close = () => {
    data.close();
    secret?.close();
    audit?.close();
  };
  return { data, secret, audit, close };
}

/**
 * Reads all files as the server does when it starts. Of a file that grows, the backup gets the complete lines
 * that are there now, which are at least those that were acknowledged.
 *
 * @throws DataError if a file of the newest state is missing, or if a newer version has written one
 */
function readSources(files: BackupFiles): Sources {
  const { snapshot, journals } = files.data;
  const damage: DataError[] = [];
  let hasIdentities = false;
  const receiver: Receiver = {
    apply: ([kind, , value]) => {
      if (kind === 'account' && value?.identityHash) hasIdentities = true;
    },
    addVisits: () => {},
  };
  const loaded = loadFiles(files.data, receiver, (error) => {
    if (['missing_file', 'newer_format'].includes(error.details.kind)) throw error;
    damage.push(error);
  });
  for (const { number, start, isEnded } of loaded.torn?.broken ?? []) {
    if (isEnded) damage.push(damagedLine(loaded.torn?.path ?? '', number, start));
  }
  const sources = journals.map(({ file, generation }) => {
    const extent = loaded.journals.find((each) => each.generation === generation);
    return { file, bytes: extent?.bytes ?? file.bytes };
  });
  if (snapshot) sources.unshift({ file: snapshot.file, bytes: loaded.snapshotBytes });
  const { secret, audit } = files;
  if (secret) {
    sources.push({ file: secret, bytes: secret.bytes });
    const text = secret.read(0, secret.bytes).toString();
    if (!parseSecret(text)) damage.push(damagedLine(secret.path, 1, 0));
  } else if (hasIdentities) damage.push(missingFile(secretPath(files.data.folder)));
  if (!audit) return { sources, damage, damagedAuditLines: 0 };
  const { bytes, damagedLines } = readAudit(audit);
  sources.push({ file: audit, bytes });
  return { sources, damage, damagedAuditLines: damagedLines };
}

/** Without a last line that is not complete. */
function readAudit(audit: LineFile) {
  let [bytes, damagedLines] = [0, 0];
  for (const line of audit.lines()) {
    if (!line.isEnded) break;
    bytes = line.end;
    if (isDamagedEntry(line)) damagedLines++;
  }
  return { bytes, damagedLines };
}

/** The archive's last entry: a checked line with the checksums of all others. */
export const MANIFEST_NAME = 'backup.json';

/** What an archive can contain. Anything else is not unpacked. */
export const ENTRY_NAME = /^((snapshot|journal)-\d{6,}\.jsonl|secret|audit\.jsonl|backup\.json)$/;

/** Later ones keep the checksum, `version` and `by`, by which an older version refuses them. */
const MANIFEST_VERSION = 1;

const manifestSchema = z.object({
  curt: z.literal('backup'),
  version: z.literal(MANIFEST_VERSION),
  /** The version of Curt that made the backup. */
  by: z.string(),
  created: z.iso.datetime(),
  files: z.array(
    z.object({
      name: z.string(),
      bytes: z.number(),
      /** In hexadecimal. */
      sha256: z.string(),
    }),
  ),
});
export type Manifest = z.output<typeof manifestSchema>;
/** The shape is part of `curt backup --json` and `curt restore --json`. */
export type BackupFile = Manifest['files'][number];

function toManifestLine(manifest: Manifest): string {
  return toLine(manifest);
}

/** @returns undefined if it is damaged; the version of Curt that made it if that is a newer one */
export function parseManifest(bytes: Buffer): Manifest | { newerBy: string } | undefined {
  if (!isIntact(bytes, 0, bytes.length - 1)) return undefined;
  const json = JSON.parse(bytes.toString());
  if (json.version > MANIFEST_VERSION) return { newerBy: String(json.by) };
  return manifestSchema.safeParse(json).data;
}
