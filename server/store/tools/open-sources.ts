import { type FileHandle, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { journalPath, readGenerations, snapshotPath } from '../json-file/files/generations.ts';
import { BackupError } from './backup-error.ts';

/** A file of the folder, and how much of it to back up. */
export type Source = {
  name: string;
  file: FileHandle;
  bytes: number;
  /** Whether its lines have checksums. */
  isChecked: boolean;
  /** Whether it goes on after `bytes`, in lines that are missing. */
  isCutOff: boolean;
};

/** Files beside snapshots and journals. `lock` and `journal.torn` are not part of the data. */
const OTHER_FILES = ['secret', 'audit.jsonl'];
const TAIL_BYTES = 64 * 1024;
/** Longer than any header. */
const HEADER_MAX_BYTES = 4096;
const LINE_FEED = 0x0a;
/** Of a snapshot, as `SnapshotWriter` ends it. */
const LAST_LINE = /(^|\n)\{"end":\d+,"crc":"[0-9a-f]{8}"\}\n$/;
/** A server that compacts removes files, but rarely. */
const ATTEMPTS = 10;

/**
 * Opens the files that make up the newest complete state. Once they are open, it does not matter that a
 * server removes them.
 *
 * A snapshot and sealed journals don't change any more, so whatever they lack is damage. The last journal
 * grows: of it, the backup gets what is there now, which is at least everything that was acknowledged, up
 * to its last complete line.
 */
export async function openSources(folder: string): Promise<Source[]> {
  for (let attempt = 1; ; attempt++) {
    const sources: Source[] = [];
    try {
      for (const path of pathsOf(folder)) sources.push(await openSource(path, true));
      await findEnds(sources);
      for (const name of OTHER_FILES) {
        const source = await openSource(join(folder, name), name !== 'secret').catch(ifExists);
        if (!source) continue;
        sources.push(source);
        if (source.isChecked) source.bytes = await wholeLines(source);
      }
      return sources;
    } catch (error) {
      await closeSources(sources);
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === ATTEMPTS) throw error;
    }
  }
}

export async function closeSources(sources: Source[]): Promise<void> {
  for (const { file } of sources) await file.close();
}

/** A missing journal has a path too, so that opening it fails. */
function pathsOf(folder: string): string[] {
  const { snapshot, journals } = readGenerations(folder);
  const [first, last] = [snapshot ?? 1, journals.at(-1) ?? snapshot];
  if (last === undefined) throw new BackupError('no_data', `${folder} has no data of Curt.`);
  const count = last - first + 1;
  return [
    ...(snapshot === undefined ? [] : [snapshotPath(folder, snapshot)]),
    ...Array.from({ length: count }, (_, index) => journalPath(folder, first + index)),
  ];
}

async function findEnds(sources: Source[]): Promise<void> {
  for (const [index, source] of sources.entries()) {
    const next = sources[index + 1];
    if (source.name.startsWith('snapshot-')) {
      source.isCutOff = !LAST_LINE.test(await lastBytes(source));
    } else if (next) {
      // What a journal has after the length that the next one names was never acknowledged.
      const expected = (await previousBytes(next)) ?? source.bytes;
      source.isCutOff = source.bytes < expected;
      source.bytes = Math.min(source.bytes, expected);
    } else {
      source.bytes = await wholeLines(source);
      // A journal gets its name with its first line.
      source.isCutOff = source.bytes === 0;
    }
  }
}

async function previousBytes({ file }: Source): Promise<number | undefined> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(HEADER_MAX_BYTES), { position: 0 });
  const [header = ''] = buffer.toString('utf8', 0, bytesRead).split('\n', 1);
  const [, digits] = /"previousBytes":(\d+)/.exec(header) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

async function openSource(path: string, isChecked: boolean): Promise<Source> {
  const file = await open(path, 'r');
  const { size } = await file.stat();
  return { name: basename(path), file, bytes: size, isChecked, isCutOff: false };
}

async function lastBytes({ file, bytes }: Source): Promise<string> {
  const position = Math.max(0, bytes - HEADER_MAX_BYTES);
  const { bytesRead, buffer } = await file.read(Buffer.alloc(HEADER_MAX_BYTES), { position });
  return buffer.toString('latin1', 0, bytesRead);
}

/** The length of a file without an incomplete last line. */
async function wholeLines({ file, bytes }: Source): Promise<number> {
  const buffer = Buffer.alloc(TAIL_BYTES);
  for (let end = bytes; end > 0; end -= TAIL_BYTES) {
    const start = Math.max(0, end - TAIL_BYTES);
    const { bytesRead } = await file.read(buffer, 0, end - start, start);
    const lineFeed = buffer.subarray(0, bytesRead).lastIndexOf(LINE_FEED);
    if (lineFeed !== -1) return start + lineFeed + 1;
  }
  return 0;
}

function ifExists(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
