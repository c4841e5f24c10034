import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDurably } from './durable-file.ts';

/** Stores when a backup of the folder was made. @param time milliseconds since the epoch */
export async function writeLastBackup(folder: string, time: number): Promise<void> {
  const file = await createDurably(pathIn(folder), `${new Date(time).toISOString()}\n`);
  await file.close();
}

/** @returns milliseconds since the epoch; undefined if no backup is known */
export async function readLastBackup(folder: string): Promise<number | undefined> {
  const text = await readFile(pathIn(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return '';
  });
  const time = Date.parse(text.trim());
  return Number.isNaN(time) ? undefined : time;
}

function pathIn(folder: string): string {
  return join(folder, 'last-backup');
}
