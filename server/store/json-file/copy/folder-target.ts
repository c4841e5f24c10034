import { open } from 'node:fs/promises';
import type { CopyProgress, CopyRecord, CopySource, CopyTarget } from '../../copy/copy-record.ts';
import { CopyError } from '../../copy/copy-store.ts';
import { AuditFile } from '../files/audit-file.ts';
import { createDurably } from '../files/durable-file.ts';
import { headerLine } from '../files/file-header.ts';
import { explainAccess } from '../files/folder-access.ts';
import { journalPath } from '../files/generations.ts';
import type { LineRecord } from '../files/line-record.ts';
import { secretPath } from '../files/secret-file.ts';
import { SnapshotWriter } from '../journal/snapshot-writer.ts';
import { isFree, NewFolder } from '../new-folder.ts';
import { readFolder } from './folder-source.ts';

/** Not the first one: it has no snapshot. */
const GENERATION = 2;

/**
 * Writes a data folder: a snapshot, and an empty journal after it. An interrupted copy leaves the folder
 * empty, so the next one starts again.
 *
 * @param now milliseconds since the epoch
 * @throws StoreOpenError if there is something in the folder, or if it cannot be written
 */
export function openFolderTarget(folder: string, now: number): CopyTarget {
  if (!isFree(folder)) throw new CopyError(`${folder} is not empty. Choose a new folder.`);
  try {
    return new FolderTarget(new NewFolder(folder), now);
  } catch (error) {
    throw explainAccess(folder, error);
  }
}

class FolderTarget implements CopyTarget {
  readonly done: CopyProgress;
  readonly #folder: NewFolder;
  readonly #snapshot: SnapshotWriter;
  readonly #audit: AuditFile;
  #secret: string | undefined;

  constructor(folder: NewFolder, now: number) {
    this.done = { started: now, records: 0, digest: '' };
    this.#folder = folder;
    this.#snapshot = new SnapshotWriter(folder.temporary, GENERATION, undefined);
    this.#audit = new AuditFile(folder.temporary, open);
  }

  async write(records: CopyRecord[]): Promise<void> {
    for (const record of records) {
      if (record.kind === 'secret') this.#secret = record.secret;
      else if (record.kind === 'audit') await this.#audit.append(record.entry);
      else this.#snapshot.add(JSON.stringify(toLine(record)).slice(1, -1));
    }
  }

  async read(): Promise<CopySource> {
    const { temporary } = this.#folder;
    this.#snapshot.finish();
    await create(journalPath(temporary, GENERATION), headerLine('journal', GENERATION, 0));
    if (this.#secret) await create(secretPath(temporary), `${this.#secret}\n`);
    return readFolder(temporary, this.done.started);
  }

  finish(): Promise<void> {
    return this.#folder.complete();
  }

  async close(): Promise<void> {
    this.#folder.close();
  }
}

async function create(path: string, text: string): Promise<void> {
  const file = await createDurably(path, text);
  await file.close();
}

function toLine(record: Exclude<CopyRecord, { kind: 'secret' | 'audit' }>): LineRecord {
  switch (record.kind) {
    case 'account':
      return { account: record.account };
    case 'token':
      return { token: record.token };
    case 'link': {
      const { link, idempotency, first } = record;
      // The link is the last member, because its text is cut out of the line on opening.
      return { ...(idempotency && { idempotency }), ...(first && { first }), link };
    }
    case 'alias': {
      const { alias, accountId } = record;
      return { reserved: { ...(accountId && { accountId }), aliases: [alias] } };
    }
    case 'quotaUse': {
      const { kind: _, ...quotaUse } = record;
      return { quotaUse };
    }
    case 'spentKey': {
      const { keyHash, created } = record;
      return { spentKey: { keyHash, created } };
    }
    case 'statistics':
      return { statistics: record.statistics };
    case 'block':
      return { block: record.block };
  }
}
