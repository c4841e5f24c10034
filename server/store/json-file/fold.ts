import { brokenLine } from './file-header.ts';
import { journalPath, snapshotPath } from './generations.ts';
import type { JournalExtent } from './load-folder.ts';
import { NewestEdits } from './newest-edits.ts';
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
 * link that had any, and where the newest edit of each edited one stands. It reads what is on disk,
 * so it needs nothing of the server's memory, and the server goes on meanwhile.
 */
export function fold({ folder, snapshot, journals, now }: FoldOrder): void {
  const last = journals.at(-1);
  if (!last) return;
  const files = journals.map(({ generation, bytes }) => ({
    path: journalPath(folder, generation),
    end: bytes,
  }));
  const changes = sumUp(files);
  if (snapshot !== undefined) {
    files.unshift({ path: snapshotPath(folder, snapshot), end: Number.POSITIVE_INFINITY });
  }
  const writer = new SnapshotWriter(folder, last.generation + 1);
  try {
    for (const file of files) foldFile(file, changes, now, writer);
    writer.finish();
  } catch (error) {
    writer.abandon();
    throw error;
  } finally {
    changes.edits.close();
  }
}

function foldFile(file: Source, { hits, edits }: Changes, now: number, writer: SnapshotWriter) {
  for (const { record, bytes, start, lineEnd } of records(file)) {
    const { batch, account, link } = record;
    if (!account && !link) continue;
    const more = link && hits.get(link.id);
    const edited = link && edits.read(link.id);
    const isForgotten = record.idempotency && link && isOver(link.created, now);
    if (batch === undefined && !more && !edited && !isForgotten) {
      writer.copy(bytes, start, lineEnd);
      continue;
    }
    const idempotency = isForgotten ? undefined : record.idempotency;
    // The first answer of the key is told again as it was.
    const first = idempotency && (record.first ?? (edited && link));
    const sum = (link?.hits ?? 0) + (more ?? 0);
    const kept: LineRecord = {
      ...(account && { account }),
      ...(idempotency && { idempotency }),
      ...(first && { first }),
      ...(link && { link: { ...(edited ?? link), ...(sum > 0 && { hits: sum }) } }),
    };
    writer.add(JSON.stringify(kept).slice(1, -1));
  }
}

type Changes = { hits: Map<string, number>; edits: NewestEdits };

function sumUp(journals: Source[]): Changes {
  const hits = new Map<string, number>();
  const edits = new NewestEdits();
  for (const file of journals) {
    for (const { record, offset, start, lineEnd } of records(file)) {
      for (const [id, more] of record.hits ?? []) hits.set(id, (hits.get(id) ?? 0) + more);
      if (record.edit) edits.add(record.edit.id, file.path, offset + start, lineEnd - start);
    }
  }
  return { hits, edits };
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
