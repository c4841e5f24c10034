import type { ImportStatus } from '../../../shared/links/transfer.ts';
import { type Clock, DAY_MS, MINUTE_MS } from '../../lib/time.ts';
import type { Account, StoredImport } from '../../store/account.ts';
import { type Store, StoreUnavailableError } from '../../store/store.ts';
import { countLinks } from '../manage/list-links.ts';
import { isoTime } from '../to-link-record.ts';

export type StatusDependencies = { store: Store; clock: Clock };

/** How many rows are dealt with until that is stored, which is as much work as one of them. */
const STORED_EVERY_ROWS = 50;
/** After so long, its server was ended. */
const SILENT_MS = MINUTE_MS;
/** How far ahead the clock of the server that imports may be. */
const CLOCK_AHEAD_MS = 10 * MINUTE_MS;

/**
 * Keeps with the account how far an import is, because with several servers any of them may be asked, or told to stop
 * it.
 */
export async function startImport(
  { account, importId }: { account: Pick<Account, 'id'>; importId: string },
  rows: number,
  { store, clock }: StatusDependencies,
) {
  const started = clock();
  let done = 0;
  let isStopped = false;
  const save = async () => {
    const lastImport: StoredImport = { importId, started, rows, done, updated: clock() };
    const saved = await store.administration.editAccount(account.id, { lastImport });
    isStopped = saved?.stoppedImport === importId;
  };
  await save();
  return {
    get isStopped() {
      return isStopped;
    },
    /** Call it after each row. */
    async count(): Promise<void> {
      if (++done % STORED_EVERY_ROWS === 0) await save().catch(ignoreUnavailable);
    },
    async end(): Promise<void> {
      done = rows;
      await save().catch(ignoreUnavailable);
    },
  };
}

/** The rows themselves report it. */
function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof StoreUnavailableError)) throw error;
}

/** Reads the latest import of the account, as long as it is offered to undo it. */
export async function readImport(
  { id: accountId, lastImport }: Account,
  { store, clock }: StatusDependencies,
): Promise<ImportStatus | null> {
  if (!lastImport || clock() - lastImport.started > DAY_MS) return null;
  const { importId, started, rows, done } = lastImport;
  const isRunning = isUnderWay(lastImport, clock());
  const count = async (editedSince?: number) =>
    (await countLinks({ accountId, importId, isDeleted: false, editedSince }, { store })).count;
  const undo = isRunning ? null : { links: await count(), edited: await count(started) };
  return { importId, started: isoTime(started), rows, done, isRunning, undo };
}

/**
 * Lets the import of the account end with what is added so far. Its report says what.
 *
 * @returns null if none is running
 */
export async function stopImport(
  account: Account,
  dependencies: StatusDependencies,
): Promise<ImportStatus | null> {
  const { store, clock } = dependencies;
  const { id, lastImport } = account;
  if (!lastImport || !isUnderWay(lastImport, clock())) return null;
  await store.administration.editAccount(id, { stoppedImport: lastImport.importId });
  return readImport(account, dependencies);
}

/** More are as good as never undone in a row. */
const UNDONE_MAX = 10;

/** Remembers that an import is being undone, before its links are deleted. */
export async function markUndone(
  { id, undoneImports = [] }: Pick<Account, 'id' | 'undoneImports'>,
  importId: string,
  { store }: Pick<StatusDependencies, 'store'>,
): Promise<void> {
  if (undoneImports.includes(importId)) return;
  const latest = [importId, ...undoneImports].slice(0, UNDONE_MAX);
  await store.administration.editAccount(id, { undoneImports: latest });
}

function isUnderWay({ rows, done, updated }: StoredImport, now: number): boolean {
  const silentFor = now - updated;
  // A time that is further ahead was stored before a wrong clock was set back, perhaps by a server that was ended.
  return done < rows && silentFor < SILENT_MS && -silentFor < CLOCK_AHEAD_MS;
}
