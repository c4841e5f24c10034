import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemTime, type Time } from '../../../shared/time.ts';
import { type StoreRecord, toRecordJson } from '../records.ts';
import type { FolderData } from './data/folder-data.ts';
import { headerLine, snapshotPath } from './files/generations.ts';
import { toLine } from './files/line-file.ts';
import { syncFolder } from './files/small-files.ts';

/** Other requests wait no longer than this. */
const SLICE_MS = 5;
/** Lines after which the time is looked at. */
const LINES_AT_ONCE = 4;
/** Records that share a line, so that a snapshot is read in less time. A history has a line of its own. */
const RECORDS_A_LINE = 50;
/** Synced in parts: syncing a whole snapshot at once would delay the journal's syncs for seconds. */
const SYNC_CHARACTERS = 8 * 1024 * 1024;

type SnapshotTask = {
  folder: string;
  generation: number;
  data: FolderData;
  /** The present time, if older files have content that was erased. Milliseconds since the epoch. */
  erasedAt?: number | undefined;
  /** The format that is written. @default that of `UPGRADES` */
  version?: number | undefined;
  /** Ends the work, as a crash would. */
  signal?: AbortSignal;
  /** @default systemTime */
  time?: Time;
};

/**
 * Writes everything into a new snapshot, in slices, under a temporary name until it is complete and on disk.
 * Changes that are made meanwhile may be in it or not: the journal of its generation has them all.
 *
 * @throws if the disk is full or fails; the reason of `signal` if it was aborted
 */
export async function writeSnapshot(task: SnapshotTask): Promise<void> {
  const { folder, generation, data } = task;
  const path = snapshotPath(folder, generation);
  const temporary = `${path}.tmp`;
  // Begins now: what is added to the statistics from now on is in the journal only.
  const lines = snapshotLines(data);
  try {
    const file = await open(temporary, 'w', 0o600);
    try {
      await writeLines(file, lines, task);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    // A full disk needs the space. The error says what is wrong, whatever this one finds.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    data.statistics.endSnapshot();
  }
}

async function writeLines(
  file: FileHandle,
  lines: Iterable<string>,
  { generation, erasedAt, version, signal, time = systemTime }: SnapshotTask,
): Promise<void> {
  let text = headerLine('snapshot', generation, undefined, { erasedAt, version });
  let [count, unsynced] = [0, 0];
  const write = async () => {
    signal?.throwIfAborted();
    await file.writeFile(text);
    unsynced += text.length;
    text = '';
    if (unsynced < SYNC_CHARACTERS) return;
    await file.datasync();
    unsynced = 0;
  };
  let sliceEnd = time.monotonic() + SLICE_MS;
  for (const line of lines) {
    text += line;
    count++;
    if (count % LINES_AT_ONCE > 0 || time.monotonic() < sliceEnd) continue;
    await write();
    await nextTurn();
    sliceEnd = time.monotonic() + SLICE_MS;
  }
  text += toLine({ end: count });
  await write();
}

function snapshotLines(data: FolderData): Iterable<string> {
  const changing: string[] = [];
  const histories = data.statistics.beginSnapshot((record) => {
    changing.push(toLine({ records: [record] }));
  });
  return (function* () {
    for (const records of inParts(data.records())) {
      yield* changing.splice(0);
      yield toLine({ records: records.map(toRecordJson) });
    }
    for (const record of histories) {
      yield* changing.splice(0);
      yield toLine({ records: [record] });
    }
    yield* changing.splice(0);
  })();
}

function* inParts(records: Iterable<StoreRecord>): Generator<StoreRecord[]> {
  let part: StoreRecord[] = [];
  for (const record of records) {
    if (part.push(record) < RECORDS_A_LINE) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
