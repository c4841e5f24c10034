import { brokenLine } from './file-header.ts';
import { journalPath, snapshotPath } from './generations.ts';
import type { JournalExtent } from './load-folder.ts';
import { readLines } from './read-lines.ts';
import { SnapshotWriter } from './snapshot-writer.ts';
import { isOver, type LineRecord } from './state.ts';

/** What to make a snapshot of. */
export type FoldOrder = {
  folder: string;
  snapshot: number | undefined;
  /** The journals after it that are written no more. */
  journals: JournalExtent[];
  /** Idempotency keys whose time is over at this moment are left out. */
  now: number;
};

type Source = { path: string; end: number };

/**
 * Folds journals into a snapshot, line by line: what it holds in memory is the sum of hits of each
 * link that had any. It reads what is on disk, so it needs nothing of the server's memory, and the
 * server goes on meanwhile.
 */
export function fold({ folder, snapshot, journals, now }: FoldOrder): void {
  const last = journals.at(-1);
  if (!last) return;
  const files = journals.map(({ generation, bytes }) => ({
    path: journalPath(folder, generation),
    end: bytes,
  }));
  const hits = sumHits(files);
  if (snapshot !== undefined) {
    files.unshift({ path: snapshotPath(folder, snapshot), end: Number.POSITIVE_INFINITY });
  }
  const writer = new SnapshotWriter(folder, last.generation + 1);
  try {
    for (const file of files) foldFile(file, hits, now, writer);
    writer.finish();
  } catch (error) {
    writer.abandon();
    throw error;
  }
}

function foldFile(file: Source, hits: Map<string, number>, now: number, writer: SnapshotWriter) {
  for (const { record, bytes, start, lineEnd } of records(file)) {
    const { batch, account, idempotency, link } = record;
    if (!account && !link) continue;
    const more = link && hits.get(link.id);
    const isForgotten = idempotency && link && isOver(link.created, now);
    if (batch === undefined && !more && !isForgotten) {
      writer.copy(bytes, start, lineEnd);
      continue;
    }
    const kept: LineRecord = {
      ...(account && { account }),
      ...(idempotency && !isForgotten && { idempotency }),
      ...(link && { link: more ? { ...link, hits: (link.hits ?? 0) + more } : link }),
    };
    writer.add(JSON.stringify(kept).slice(1, -1));
  }
}

function sumHits(journals: Source[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const file of journals) {
    for (const { record } of records(file)) {
      for (const [id, hits] of record.hits ?? []) sums.set(id, (sums.get(id) ?? 0) + hits);
    }
  }
  return sums;
}

function* records({ path, end }: Source) {
  for (const { bytes, starts, ends, values, firstNumber } of readLines<LineRecord>(path, end)) {
    for (const [index, record] of values.entries()) {
      if (record === undefined) throw brokenLine(path, firstNumber + index);
      const [start = 0, lineEnd = 0] = [starts[index], ends[index]];
      yield { record, bytes, start, lineEnd };
    }
  }
}
