import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quote } from '../../../lib/quote.ts';
import {
  type DataError,
  damagedLine,
  incompleteFile,
  missingData,
  missingFile,
  type OnDataError,
  REPAIR,
} from '../files/data-error.ts';
import { type ChangeLine, formatOf, type LineUpgrade, UPGRADES } from '../files/formats.ts';
import {
  type FileHeader,
  journalPath,
  readGenerations,
  readHeader,
  snapshotPath,
} from '../files/generations.ts';
import { LineFile } from '../files/line-file.ts';
import { loadJournal, type TornTail } from './load-journal.ts';
import { loadLine, type Receiver } from './load-line.ts';

/** A journal, its format, and the length of its complete lines. */
export type JournalExtent = { generation: number; version: number; bytes: number };

type LoadedFolder = {
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
 * @param upgrades for files of earlier formats
 */
export function loadFolder(
  folder: string,
  to: Receiver,
  onError: OnDataError,
  upgrades = UPGRADES,
): LoadedFolder {
  const files = openDataFiles(folder);
  try {
    return loadFiles(files, to, onError, upgrades);
  } finally {
    files.close();
  }
}

/**
 * Looks at the first line of each file, before anything is written into the folder, a lock included.
 *
 * @throws DataError if a newer version of Curt has written one
 */
export function assertNotNewer(folder: string, upgrades = UPGRADES): void {
  if (!existsSync(folder)) return;
  const { snapshot, journals, close } = openDataFiles(folder);
  try {
    for (const { file } of snapshot ? [snapshot, ...journals] : journals) {
      readHeader(file, throwIfNewer, formatOf(upgrades));
    }
  } finally {
    close();
  }
}

function throwIfNewer(error: DataError): void {
  if (error.details.kind === 'newer_format') throw error;
}

/** Reads files as `loadFolder` does. */
export function loadFiles(
  files: DataFiles,
  to: Receiver,
  onError: OnDataError,
  upgrades = UPGRADES,
): LoadedFolder {
  const { snapshot, journals } = files;
  reportMissing(files, onError);
  const snapshotHeader = snapshot && loadSnapshot(snapshot, to, onError, upgrades);
  const headers = journals.map(({ file }) => readHeader(file, onError, formatOf(upgrades)));
  const loaded: LoadedFolder = {
    journals: [],
    torn: undefined,
    snapshotBytes: snapshot?.file.bytes ?? 0,
    erasedAt: undefined,
    snapshotErasedAt: snapshotHeader?.erasedAt,
  };
  for (const [index, { file, generation }] of journals.entries()) {
    const header = headers[index];
    // It was reported.
    if (!header) continue;
    const { version } = header;
    const end = headers[index + 1]?.previousBytes;
    const format = { version, upgrades };
    const { torn, bytes, erasedAt } = loadJournal(file, format, end, to, onError);
    loaded.torn = torn;
    loaded.journals.push({ generation, version, bytes });
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

/** The files of the newest complete state. They can be read while they are open, even if a server removes them. */
export type DataFiles = {
  folder: string;
  snapshot: DataFile | undefined;
  /** In order; empty in a new folder. */
  journals: DataFile[];
  close: () => void;
};

type DataFile = { generation: number; file: LineFile };

/** A server that compacts removes files, but rarely. */
const ATTEMPTS = 10;

export function openDataFiles(folder: string): DataFiles {
  for (let attempt = 1; ; attempt++) {
    const { snapshot, journals } = readGenerations(folder);
    const opened: LineFile[] = [];
    const open = (generation: number, path: string): DataFile => {
      const file = new LineFile(path);
      opened.push(file);
      return { generation, file };
    };
    const close = () => {
      for (const file of opened) file.close();
    };
    try {
      return {
        folder,
        snapshot:
          snapshot === undefined ? snapshot : open(snapshot, snapshotPath(folder, snapshot)),
        journals: journals.map((generation) => open(generation, journalPath(folder, generation))),
        close,
      };
    } catch (error) {
      close();
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === ATTEMPTS) throw error;
    }
  }
}

/** The header, and the last line itself. */
const UNCOUNTED_LINES = 2;

/** @returns undefined if the header is damaged, after that was reported */
function loadSnapshot(
  { file, generation }: DataFile,
  to: Receiver,
  onError: OnDataError,
  upgrades: readonly LineUpgrade[],
): FileHeader | undefined {
  const { path } = file;
  const header = readHeader(file, onError, formatOf(upgrades));
  if (!header) return undefined;
  const format = { path, version: header.version, upgrades };
  const before = snapshotPath(dirname(path), generation - 1);
  const repair = existsSync(before)
    ? `Nothing was changed. The previous generation still exists: move this file away, and the server starts from ${before} and the journals after it, without losing data.`
    : REPAIR;
  let [lines, bytes] = [0, 0];
  let counted: number | undefined;
  for (const line of file.lines<ChangeLine>()) {
    // Here the file is cut off.
    if (!line.isEnded) break;
    lines = line.number;
    bytes = line.end;
    counted = line.value?.end;
    if (lines === 1) continue;
    if (line.value) loadLine(line, format, to, onError);
    else onError(damagedLine(path, line.number, line.start, repair));
  }
  const reason =
    counted === undefined
      ? `its last line is missing. To see how it ends, run: tail -n 1 ${quote(path)}`
      : `it should have ${counted + UNCOUNTED_LINES} lines. To count them, run: wc -l ${quote(path)}`;
  if (counted !== lines - UNCOUNTED_LINES) {
    onError(incompleteFile(path, lines + 1, bytes, reason, repair));
  }
  return header;
}
