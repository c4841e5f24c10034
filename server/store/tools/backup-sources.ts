import { auditPath, isDamagedEntry } from '../json-file/files/audit-file.ts';
import { type DataError, damagedLine, missingFile } from '../json-file/files/data-error.ts';
import { LineFile } from '../json-file/files/line-file.ts';
import { parseSecret, secretPath } from '../json-file/files/secret-file.ts';
import { loadFiles } from '../json-file/loading/load-folder.ts';
import type { Receiver } from '../json-file/loading/load-line.ts';
import { type DataFiles, openDataFiles } from '../json-file/loading/open-data-files.ts';

/** The files to back up. `lock` and `journal.torn` are not part of the data. */
export type BackupFiles = {
  data: DataFiles;
  secret: LineFile | undefined;
  audit: LineFile | undefined;
  close: () => void;
};

/** A file, and how much of it to back up. */
export type Source = { file: LineFile; bytes: number };

export type Sources = {
  sources: Source[];
  damage: DataError[];
  /** No damage: the server starts without them. */
  damagedAuditLines: number;
};

export function openBackupFiles(folder: string): BackupFiles {
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
 * @throws DataError if a file of the newest state is missing
 */
export function readSources(files: BackupFiles): Sources {
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
    if (error.details.kind === 'missing_file') throw error;
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
