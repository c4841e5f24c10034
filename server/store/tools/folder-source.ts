import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditEntry } from '../administration.ts';
import type { CopyRecord, CopySource } from '../copy-record.ts';
import { Data } from '../json-file/data/data.ts';
import { auditPath } from '../json-file/files/audit-file.ts';
import { toOpenError } from '../json-file/files/folder-access.ts';
import { lockFolder } from '../json-file/files/folder-lock.ts';
import { LineFile } from '../json-file/files/line-file.ts';
import { readSecret } from '../json-file/files/secret-file.ts';
import { loadFolder } from '../json-file/loading/load-folder.ts';
import { assertData } from './assert-data.ts';

const BATCH_RECORDS = 1000;

/**
 * Reads a data folder that no server uses.
 *
 * @param now idempotency keys that have expired by then are left out
 * @throws StoreOpenError if a server uses it, or if it has no data or is damaged
 */
export function openFolderSource(folder: string, now: number): CopySource {
  assertData(folder);
  let unlock = () => {};
  try {
    unlock = lockFolder(folder);
    return readFolder(folder, now, unlock);
  } catch (error) {
    unlock();
    throw toOpenError(folder, error);
  }
}

/** Like `openFolderSource`, but without locking the folder. */
export function readFolder(folder: string, now: number, close = () => {}): CopySource {
  const data = new Data(() => now);
  // Finds damage before anything is copied.
  loadFolder(folder, data, (error) => {
    throw error;
  });
  while (data.eraseSomeLinks());
  return {
    count: data.allLinks.count + data.accountList.length,
    records: () => readRecords(folder, data),
    close: async () => close(),
  };
}

async function* readRecords(folder: string, data: Data): AsyncGenerator<CopyRecord[]> {
  const secret = await readSecret(folder, data.hasIdentities);
  if (secret) yield [['secret', '', secret.toString('base64url')]];
  let batch: CopyRecord[] = [];
  const histories = data.statistics.beginSnapshot(() => {});
  for (const records of [data.records(), histories, readAudit(folder)]) {
    for (const record of records) {
      if (batch.push(record) < BATCH_RECORDS) continue;
      yield batch;
      batch = [];
      await nextTurn();
    }
  }
  yield batch;
}

/** Without damaged lines, as the server shows it. */
function* readAudit(folder: string): Generator<CopyRecord> {
  const file = LineFile.openIfExists(auditPath(folder));
  let number = 0;
  for (const { value } of file?.lines<AuditEntry & { crc: string }>() ?? []) {
    if (!value) continue;
    const { crc: _, ...entry } = value;
    yield ['audit', `${number++}`, entry];
  }
  file?.close();
}
