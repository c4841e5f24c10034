import { open } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CopyRecord, CopySource } from '../copy-record.ts';
import { Data } from '../json-file/data/data.ts';
import { AuditFile } from '../json-file/files/audit-file.ts';
import { explainAccess } from '../json-file/files/folder-access.ts';
import { lockFolder } from '../json-file/files/folder-lock.ts';
import { readGenerations } from '../json-file/files/generations.ts';
import { readSecret } from '../json-file/files/secret-file.ts';
import { loadFolder } from '../json-file/loading/load-folder.ts';
import { StoreOpenError } from '../store.ts';

const BATCH_RECORDS = 1000;

/**
 * Reads a data folder that no server uses.
 *
 * @param now idempotency keys that have expired by then are left out
 * @throws StoreOpenError if a server uses it, or if it has no data or is damaged
 */
export function openFolderSource(folder: string, now: number): CopySource {
  const unlock = lock(folder);
  try {
    return readFolder(folder, now, unlock);
  } catch (error) {
    unlock();
    throw error;
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

function lock(folder: string): () => void {
  try {
    const { snapshot, journals } = readGenerations(folder);
    if (snapshot === undefined && journals.length === 0) {
      throw new StoreOpenError(`${folder} has no data of Curt.`);
    }
    return lockFolder(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new StoreOpenError(`${folder} does not exist.`);
    }
    throw explainAccess(folder, error);
  }
}

async function* readRecords(folder: string, data: Data): AsyncGenerator<CopyRecord[]> {
  const secret = await readSecret(folder);
  if (secret) yield [['secret', '', secret.toString('base64url')]];
  let batch: CopyRecord[] = [];
  for (const records of [data.records(), data.beginHistories(() => {})]) {
    for (const record of records) {
      if (batch.push(record) < BATCH_RECORDS) continue;
      yield batch;
      batch = [];
      await nextTurn();
    }
  }
  const audit = new AuditFile(folder, open);
  const { entries } = await audit.list({ limit: Number.MAX_SAFE_INTEGER, after: null });
  for (const [index, entry] of entries.reverse().entries())
    batch.push(['audit', `${index}`, entry]);
  yield batch;
}
