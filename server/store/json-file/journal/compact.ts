import { brokenLine } from '../files/file-header.ts';
import { journalPath, snapshotPath } from '../files/generations.ts';
import { readLines } from '../files/read-lines.ts';
import { NewestEdits } from '../memory/newest-edits.ts';
import { hasExpired, type LineRecord } from '../memory/state.ts';
import { CompactedStatistics } from '../statistics/compacted-statistics.ts';
import type { JournalExtent } from './load-folder.ts';
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

type Source = { path: string; end: number };

/**
 * Combines a snapshot and journals into a new snapshot, line by line. In memory it holds only the
 * number of hits per visited link, and the position of the newest edit per edited link. It reads
 * everything from disk, so it runs in a worker while the server continues.
 */
export function compact({ folder, snapshot, journals, now }: CompactionTask): void {
  const last = journals.at(-1);
  if (!last) return;
  const files = journals.map(({ generation, bytes }) => ({
    path: journalPath(folder, generation),
    end: bytes,
  }));
  const changes = collectChanges(files);
  if (snapshot !== undefined) {
    files.unshift({ path: snapshotPath(folder, snapshot), end: Number.POSITIVE_INFINITY });
  }
  const writer = new SnapshotWriter(folder, last.generation + 1);
  try {
    for (const file of files) compactFile(file, changes, now, writer);
    for (const members of changes.statistics.rest()) writer.add(members);
    writer.finish();
  } catch (error) {
    writer.abandon();
    throw error;
  } finally {
    changes.edits.close();
  }
}

function compactFile(file: Source, changes: Changes, now: number, writer: SnapshotWriter) {
  const { hits, edits, statistics } = changes;
  for (const { record, bytes, start, lineEnd } of records(file)) {
    const { batch, account, link } = record;
    if (record.statistics) {
      const members = statistics.merge(record.statistics);
      if (members !== undefined) writer.add(members);
    }
    if (!account && !link) continue;
    const more = link && hits.get(link.id);
    const edited = link && edits.read(link.id);
    const hasExpiredKey = record.idempotency && link && hasExpired(link.created, now);
    if (batch === undefined && !more && !edited && !hasExpiredKey) {
      writer.copy(bytes, start, lineEnd);
      continue;
    }
    const idempotency = hasExpiredKey ? undefined : record.idempotency;
    // A retry with the key returns the link as it was created.
    const first = idempotency && (record.first ?? (edited && link));
    const sum = (link?.hits ?? 0) + (more ?? 0);
    const compacted: LineRecord = {
      ...(account && { account }),
      ...(idempotency && { idempotency }),
      ...(first && { first }),
      ...(link && { link: { ...(edited ?? link), ...(sum > 0 && { hits: sum }) } }),
    };
    writer.add(JSON.stringify(compacted).slice(1, -1));
  }
}

type Changes = {
  hits: Map<string, number>;
  edits: NewestEdits;
  statistics: CompactedStatistics;
};

function collectChanges(journals: Source[]): Changes {
  const hits = new Map<string, number>();
  const edits = new NewestEdits();
  const statistics = new CompactedStatistics();
  for (const file of journals) {
    for (const { record, offset, start, lineEnd } of records(file)) {
      for (const [id, more] of record.hits ?? []) hits.set(id, (hits.get(id) ?? 0) + more);
      if (record.visits) statistics.add(record.visits);
      if (record.edit) edits.add(record.edit.id, file.path, offset + start, lineEnd - start);
    }
  }
  return { hits, edits, statistics };
}

function* records({ path, end }: Source) {
  for (const lines of readLines<LineRecord>(path, end)) {
    const { bytes, starts, ends, values, offset, firstNumber } = lines;
    for (const [index, record] of values.entries()) {
      if (record === undefined) throw brokenLine(path, firstNumber + index);
      const [start = 0, lineEnd = 0] = [starts[index], ends[index]];
      yield { record, bytes, offset, start, lineEnd };
    }
  }
}
