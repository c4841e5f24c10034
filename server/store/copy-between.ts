import type { CopySource, CopyTarget } from './copy/copy-record.ts';
import { type CopyReport, copyStore } from './copy/copy-store.ts';
import { openFolderSource } from './json-file/copy/folder-source.ts';
import { openFolderTarget } from './json-file/copy/folder-target.ts';
import { openDatabaseSource } from './postgres/copy/database-source.ts';
import { openDatabaseTarget } from './postgres/copy/database-target.ts';
import { folderOf, isPostgresUrl } from './store-url.ts';

/**
 * Copies everything from one store to another, which must be empty.
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
    const source = await openSource(from, now);
    return await copyStore({ source, target, onProgress }).finally(() => source.close());
  } finally {
    await target.close();
  }
}

async function openSource(url: string, now: number): Promise<CopySource> {
  return isPostgresUrl(url) ? openDatabaseSource(url, now) : openFolderSource(folderOf(url), now);
}

async function openTarget(url: string, now: number): Promise<CopyTarget> {
  return isPostgresUrl(url) ? openDatabaseTarget(url, now) : openFolderTarget(folderOf(url), now);
}
