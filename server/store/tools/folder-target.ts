import { open } from 'node:fs/promises';
import type { CopyTarget } from '../copy-record.ts';
import { Data } from '../json-file/data/data.ts';
import { AuditFile } from '../json-file/files/audit-file.ts';
import { createDurably } from '../json-file/files/durable-file.ts';
import { headerLine } from '../json-file/files/file-header.ts';
import { toOpenError } from '../json-file/files/folder-access.ts';
import { journalPath } from '../json-file/files/generations.ts';
import { secretPath } from '../json-file/files/secret-file.ts';
import { writeSnapshot } from '../json-file/snapshot.ts';
import { StoreOpenError } from '../store.ts';
import { readFolder } from './folder-source.ts';
import { isFree, NewFolder } from './new-folder.ts';

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
  const data = new Data(() => now);
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
