import { openFolderSource } from '../json-file/copy/folder-source.ts';
import { openFolderTarget } from '../json-file/copy/folder-target.ts';
import { folderOf } from '../store-url.ts';
import type { CopySource, CopyTarget } from './copy-record.ts';
import { type CopyReport, copyStore } from './copy-store.ts';

/**
 * Copies everything from one store to another, which must be empty, or have part of the same copy.
 *
 * @param from URL as in `STORE_URL`; no server may use it meanwhile
 * @param now milliseconds since the epoch
 * @throws StoreOpenError
 */
export async function copyBetween(
  from: string,
  to: string,
  { now, onProgress }: { now: number; onProgress: (done: number, total: number) => void },
): Promise<CopyReport> {
  const target = await openTarget(to, now);
  try {
    const openSourceAt = (started: number) => openSource(from, started);
    return await copyStore({ openSource: openSourceAt, target, onProgress });
  } finally {
    await target.close();
  }
}

async function openSource(url: string, now: number): Promise<CopySource> {
  return openFolderSource(folderOf(url), now);
}

async function openTarget(url: string, now: number): Promise<CopyTarget> {
  return openFolderTarget(folderOf(url), now);
}
