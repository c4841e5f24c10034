import { journalPath, snapshotPath } from '../files/generations.ts';
import type { JournalExtent } from '../loading/load-folder.ts';
import { type Changes, collectChanges, type Source } from './collect-changes.ts';
import { compactedLines } from './compacted-lines.ts';
import { SnapshotWriter } from './snapshot-writer.ts';

/** The input of a new snapshot. */
export type CompactionTask = {
  folder: string;
  /** The current snapshot's generation, if there is one. */
  snapshot: number | undefined;
  /** The complete journals after it. */
  journals: JournalExtent[];
  /** Idempotency keys that have expired at this time are left out. */
  now: number;
};

/**
 * Combines a snapshot and journals into a new snapshot, line by line. In memory it holds only what the
 * journals change: the number of hits per visited link, the position of the newest edit per edited link,
 * and what was erased or reserved. It reads everything from disk, so it runs in a worker while the server
 * continues.
 */
export function compact({ folder, snapshot, journals, now }: CompactionTask): void {
  const last = journals.at(-1);
  if (!last) return;
  const { files, changes } = compactionInput(folder, snapshot, journals);
  const erasedAt = changes.erases ? now : undefined;
  const writer = new SnapshotWriter(folder, last.generation + 1, erasedAt);
  try {
    for (const line of compactedLines(files, changes, now)) {
      if (typeof line === 'string') writer.add(line);
      else writer.copy(line.bytes, line.start, line.end);
    }
    writer.finish();
  } catch (error) {
    writer.abandon();
    throw error;
  } finally {
    changes.edits.close();
  }
}

/** The caller must close `changes.edits`. */
export function compactionInput(
  folder: string,
  snapshot: number | undefined,
  journals: JournalExtent[],
): { files: Source[]; changes: Changes } {
  const files = journals.map(({ generation, bytes }) => ({
    path: journalPath(folder, generation),
    end: bytes,
  }));
  const changes = collectChanges(files);
  if (snapshot !== undefined) {
    files.unshift({ path: snapshotPath(folder, snapshot), end: Number.POSITIVE_INFINITY });
  }
  return { files, changes };
}
