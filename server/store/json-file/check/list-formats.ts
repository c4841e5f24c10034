import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { FORMAT_VERSION, readVersion } from '../files/file-header.ts';
import { journalPath, readGenerations, snapshotPath } from '../files/generations.ts';

/** The shape is part of `curt check --upgrade --json`. */
export type FormatReport = {
  folder: string;
  /** The format that this version of Curt writes. */
  format: number;
  /** The files that it reads, and their formats; null if there is none to be read. */
  files: { name: string; format: number | null }[];
  /** Whether this version can open the folder. */
  canOpen: boolean;
  /** Whether it changes the format of the folder, so that an older version cannot open it. */
  willChange: boolean;
};

/** Longer than any header. */
const HEADER_MAX_BYTES = 4096;

/** What this version of Curt would do to the format of a data folder. Reads only first lines. */
export function listFormats(folder: string): FormatReport {
  const { snapshot, journals } = readGenerations(folder);
  const paths = [
    ...(snapshot === undefined ? [] : [snapshotPath(folder, snapshot)]),
    ...journals.map((generation) => journalPath(folder, generation)),
  ];
  const names = readdirSync(folder).filter((name) => paths.includes(join(folder, name)));
  const files = names.sort().map((name) => {
    return { name, format: formatOf(join(folder, name)) ?? null };
  });
  const canOpen = files.every(({ format }) => format === FORMAT_VERSION);
  // There is only one format so far. Files of an older one will be read, and written anew.
  return { folder, format: FORMAT_VERSION, files, canOpen, willChange: false };
}

function formatOf(path: string): number | undefined {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(HEADER_MAX_BYTES);
    const text = bytes.toString('utf8', 0, readSync(file, bytes));
    return readVersion(text.split('\n', 1)[0] ?? '');
  } finally {
    closeSync(file);
  }
}
