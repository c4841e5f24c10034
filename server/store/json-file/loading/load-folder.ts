import { statSync } from 'node:fs';
import type { Data } from '../data/data.ts';
import { DataError, type OnDataError, REPAIR } from '../files/data-error.ts';
import { journalPath, readGenerations, snapshotPath } from '../files/generations.ts';
import { loadJournal } from './load-journal.ts';
import { loadSnapshot } from './load-snapshot.ts';
import { readHeader } from './read-header.ts';
import type { TornTail } from './torn-tail.ts';

/** A journal and its valid length. */
export type JournalExtent = { generation: number; bytes: number };

export type LoadedFolder = {
  snapshot: number | undefined;
  /** In order; empty in a new folder. */
  journals: JournalExtent[];
  /** What a crash left of an incomplete batch, at the end of a journal. */
  torn: { path: string; tail: TornTail } | undefined;
  snapshotBytes: number;
  /** Of all journals. */
  journalBytes: number;
  /** When the first of the journals' changes erased something; undefined if none did. */
  erasedAt: number | undefined;
  /** When the snapshot was written, if older files have content that was erased. */
  snapshotErasedAt: number | undefined;
};

/**
 * Reads the newest snapshot and the journals after it into `data`, without changing a file.
 *
 * Every line must be intact, with one exception: a power failure tears the batch that was being
 * written, at any point. It was never acknowledged, so the server starts without its broken lines.
 *
 * @param onError called if any other line is broken or a file is missing. If it returns, reading
 * continues, and `data` lacks what is damaged
 */
export function loadFolder(folder: string, data: Data, onError: OnDataError): LoadedFolder {
  const { snapshot, journals } = readGenerations(folder);
  checkChain(folder, snapshot, journals, onError);
  const snapshotHeader =
    snapshot === undefined ? undefined : loadSnapshot(folder, snapshot, data, onError);

  const headers = journals.map((generation) =>
    readHeader(journalPath(folder, generation), onError),
  );
  const loaded: LoadedFolder = {
    snapshot,
    journals: [],
    torn: undefined,
    snapshotBytes: snapshot === undefined ? 0 : statSync(snapshotPath(folder, snapshot)).size,
    journalBytes: 0,
    erasedAt: undefined,
    snapshotErasedAt: snapshotHeader?.erasedAt,
  };
  for (const [index, generation] of journals.entries()) {
    // The header was reported.
    if (!headers[index]) continue;
    const path = journalPath(folder, generation);
    const end = headers[index + 1]?.previousBytes;
    const { torn, ...journal } = loadJournal(path, end, data, onError);
    if (torn) loaded.torn = { path, tail: torn };
    loaded.journals.push({ generation, bytes: torn?.bytesLeft() ?? journal.bytes });
    loaded.journalBytes += journal.bytes;
    loaded.erasedAt ??= journal.erasedAt;
  }
  return loaded;
}

function checkChain(
  folder: string,
  snapshot: number | undefined,
  journals: number[],
  onError: OnDataError,
): void {
  if (journals.length === 0 && snapshot === undefined) return;
  const first = snapshot ?? 1;
  const last = journals.at(-1) ?? first;
  for (let generation = first; generation <= last; generation++) {
    if (journals.includes(generation)) continue;
    const path = journalPath(folder, generation);
    const problem = `${path} is missing.`;
    onError(new DataError({ kind: 'missing_file', path, problem, repair: REPAIR }));
  }
}
