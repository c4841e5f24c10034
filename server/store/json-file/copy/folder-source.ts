import { open } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CopyRecord, CopySource } from '../../copy/copy-record.ts';
import { CopyError } from '../../copy/copy-store.ts';
import { AuditFile } from '../files/audit-file.ts';
import { explainAccess } from '../files/folder-access.ts';
import { lockFolder } from '../files/folder-lock.ts';
import { readGenerations } from '../files/generations.ts';
import { hasExpired, type LineRecord } from '../files/line-record.ts';
import { readSecret } from '../files/secret-file.ts';
import { compactionInput } from '../journal/compact.ts';
import { type CompactedLine, compactedLines } from '../journal/compacted-lines.ts';
import { type LoadedFolder, loadFolder } from '../loading/load-folder.ts';
import { State } from '../memory/state.ts';

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
  const state = new State(now);
  // Finds damage before anything is copied.
  const loaded = loadFolder(folder, state, (error) => {
    throw error;
  });
  return {
    count: state.links.count + state.accounts.count,
    records: () => readRecords(folder, loaded, now),
    close: async () => close(),
  };
}

function lock(folder: string): () => void {
  try {
    const { snapshot, journals } = readGenerations(folder);
    if (snapshot === undefined && journals.length === 0) {
      throw new CopyError(`${folder} has no data of Curt.`);
    }
    return lockFolder(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new CopyError(`${folder} does not exist.`);
    }
    throw explainAccess(folder, error);
  }
}

async function* readRecords(
  folder: string,
  { snapshot, journals }: LoadedFolder,
  now: number,
): AsyncGenerator<CopyRecord[]> {
  const secret = await readSecret(folder);
  if (secret) yield [{ kind: 'secret', secret: secret.toString('base64url') }];
  const { files, changes } = compactionInput(folder, snapshot, journals);
  try {
    let batch: CopyRecord[] = [];
    for (const line of compactedLines(files, changes, now)) {
      batch.push(...toRecords(parse(line), now));
      if (batch.length < BATCH_RECORDS) continue;
      yield batch;
      batch = [];
      await nextTurn();
    }
    yield batch;
  } finally {
    changes.edits.close();
  }
  const audit = new AuditFile(folder, open);
  const { entries } = await audit.list({ limit: Number.MAX_SAFE_INTEGER, after: null });
  yield entries.reverse().map((entry) => ({ kind: 'audit', entry }));
}

function parse(line: CompactedLine): LineRecord {
  return JSON.parse(
    typeof line === 'string' ? `{${line}}` : line.bytes.toString('utf8', line.start, line.end),
  );
}

function* toRecords(line: LineRecord, now: number): Generator<CopyRecord> {
  const { account, token, link, first, idempotency, reserved, quotaUse, spentKey } = line;
  if (account) yield { kind: 'account', account };
  if (token) yield { kind: 'token', token };
  if (link) {
    const key = idempotency && !hasExpired(link.created, now) ? idempotency : undefined;
    yield { kind: 'link', link, ...(key && { idempotency: key }), ...(key && first && { first }) };
  }
  for (const alias of reserved?.aliases ?? []) {
    const { accountId } = reserved ?? {};
    yield { kind: 'alias', alias: alias.toLowerCase(), ...(accountId && { accountId }) };
  }
  if (quotaUse) yield { kind: 'quotaUse', ...quotaUse };
  if (spentKey) yield { kind: 'spentKey', ...spentKey };
  if (line.statistics) yield { kind: 'statistics', statistics: line.statistics };
  if (line.block) yield { kind: 'block', block: line.block };
}
