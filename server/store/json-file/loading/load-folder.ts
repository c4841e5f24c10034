import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { missingData, missingFile, type OnDataError } from '../files/data-error.ts';
import { readHeader } from '../files/file-header.ts';
import { journalPath } from '../files/generations.ts';
import { loadJournal } from './load-journal.ts';
import type { Receiver } from './load-line.ts';
import { loadSnapshot } from './load-snapshot.ts';
import { type DataFiles, openDataFiles } from './open-data-files.ts';
import type { TornTail } from './torn-tail.ts';

/** A journal and the length of its complete lines. */
export type JournalExtent = { generation: number; bytes: number };

export type LoadedFolder = {
  /** In order; empty in a new folder. */
  journals: JournalExtent[];
  /** What a crash left of an incomplete batch, at the end of the last journal. */
  torn: TornTail | undefined;
  snapshotBytes: number;
  /** When the first of the journals' changes erased something; undefined if none did. */
  erasedAt: number | undefined;
  /** When the snapshot was written, if older files have content that was erased. */
  snapshotErasedAt: number | undefined;
};

/**
 * Reads everything in a data folder, without changing a file: the newest snapshot and the journals after it.
 *
 * Every line must be intact, with one exception: a power failure tears the batch that was being
 * written, at any point. It was never acknowledged, so the server starts without its broken lines.
 *
 * @param onError called if any other line is broken or a file is missing. If it returns, reading
 * continues without what is damaged
 */
export function loadFolder(folder: string, to: Receiver, onError: OnDataError): LoadedFolder {
  const files = openDataFiles(folder);
  try {
    return loadFiles(files, to, onError);
  } finally {
    files.close();
  }
}

/** Reads files as `loadFolder` does. */
export function loadFiles(files: DataFiles, to: Receiver, onError: OnDataError): LoadedFolder {
  const { snapshot, journals } = files;
  reportMissing(files, onError);
  const snapshotHeader = snapshot && loadSnapshot(snapshot, to, onError);
  const headers = journals.map(({ file }) => readHeader(file, onError));
  const loaded: LoadedFolder = {
    journals: [],
    torn: undefined,
    snapshotBytes: snapshot?.file.bytes ?? 0,
    erasedAt: undefined,
    snapshotErasedAt: snapshotHeader?.erasedAt,
  };
  for (const [index, { file, generation }] of journals.entries()) {
    // The header was reported.
    if (!headers[index]) continue;
    const end = headers[index + 1]?.previousBytes;
    const { torn, bytes, erasedAt } = loadJournal(file, end, to, onError);
    loaded.torn = torn;
    loaded.journals.push({ generation, bytes });
    loaded.erasedAt ??= erasedAt;
  }
  return loaded;
}

/** What a server writes besides snapshots and journals. */
const TRACES = ['secret', 'audit.jsonl', 'journal.torn', 'last-backup'];

function reportMissing({ folder, snapshot, journals }: DataFiles, onError: OnDataError): void {
  if (!snapshot && journals.length === 0) {
    // Opened as a new folder, it would give printed aliases to others.
    const trace = TRACES.find((name) => existsSync(join(folder, name)));
    if (trace !== undefined) onError(missingData(folder, trace));
    return;
  }
  const generations = journals.map(({ generation }) => generation);
  const first = snapshot?.generation ?? 1;
  for (let generation = first; generation <= Math.max(first, ...generations); generation++) {
    if (generations.includes(generation)) continue;
    onError(missingFile(journalPath(folder, generation)));
  }
}
