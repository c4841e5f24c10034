import { open } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CopyRecord, CopySource, CopyTarget } from '../copy-record.ts';
import { FolderData } from '../json-file/data/folder-data.ts';
import { AuditFile, readAudit } from '../json-file/files/audit-file.ts';
import { lockFolder, toOpenError } from '../json-file/files/folder.ts';
import { headerLine, journalPath } from '../json-file/files/generations.ts';
import { createDurably, readSecret, secretPath } from '../json-file/files/small-files.ts';
import { assertNotNewer, loadFolder } from '../json-file/loading/load-folder.ts';
import { writeSnapshot } from '../json-file/snapshot.ts';
import { StoreOpenError } from '../store.ts';
import { assertData } from './backup-error.ts';
import { isFree, NewFolder } from './new-folder.ts';

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
    assertNotNewer(folder);
    unlock = lockFolder(folder);
    return readFolder(folder, now, unlock);
  } catch (error) {
    unlock();
    throw toOpenError(folder, error);
  }
}

/** Works like `openFolderSource`, but without locking the folder. */
export function readFolder(folder: string, now: number, close = () => {}): CopySource {
  const data = new FolderData(() => now);
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

async function* readRecords(folder: string, data: FolderData): AsyncGenerator<CopyRecord[]> {
  const secret = await readSecret(folder, data.hasIdentities);
  if (secret) yield [['secret', '', secret.toString('base64url')]];
  let batch: CopyRecord[] = [];
  const histories = data.statistics.beginSnapshot(() => {});
  for (const records of [data.records(), histories, entriesOf(folder)]) {
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
function* entriesOf(folder: string): Generator<CopyRecord> {
  let number = 0;
  for (const { entry } of readAudit(folder)) if (entry) yield ['audit', `${number++}`, entry];
}

/** Not the first one: it has no snapshot. */
const GENERATION = 2;

/**
 * Writes a data folder: a snapshot, and an empty journal after it.
 *
 * @param now milliseconds since the epoch
 * @throws StoreOpenError if there is something in the folder, or if it cannot be written
 */
export function openFolderTarget(folder: string, now: number): CopyTarget {
  if (!isFree(folder)) throw new StoreOpenError(`${folder} is not empty. Choose a new folder.`);
  try {
    return targetOf(new NewFolder(folder), now);
  } catch (error) {
    throw toOpenError(folder, error);
  }
}

function targetOf(folder: NewFolder, now: number): CopyTarget {
  const { temporary } = folder;
  const data = new FolderData(() => now);
  const audit = new AuditFile(temporary, open);
  return {
    write: async (records) => {
      for (const record of records) {
        if (record[0] === 'secret') await create(secretPath(temporary), `${record[2]}\n`);
        else if (record[0] === 'audit') await audit.append(record[2]);
        else data.apply(record);
      }
    },
    read: async () => {
      await writeSnapshot({ folder: temporary, generation: GENERATION, data });
      await create(journalPath(temporary, GENERATION), headerLine('journal', GENERATION, 0));
      return readFolder(temporary, now);
    },
    finish: () => folder.complete(),
    close: async () => folder.close(),
  };
}

async function create(path: string, text: string): Promise<void> {
  const file = await createDurably(path, text);
  await file.close();
}
