import { isPostgresUrl } from '../../lib/postgres-url.ts';
import type { CopyRecord, CopySource, CopyTarget } from '../copy-record.ts';
import { openDatabaseSource } from '../postgres/copy/database-source.ts';
import { openDatabaseTarget } from '../postgres/copy/database-target.ts';
import { StoreOpenError } from '../store.ts';
import { folderOf } from '../store-url.ts';
import { CopyDigest } from './copy-digest.ts';
import { openFolderSource } from './folder-source.ts';
import { openFolderTarget } from './folder-target.ts';

/** The shape is part of `curt copy --json`. */
export type CopyReport = {
  links: number;
  accounts: number;
  /** All records: tokens, reserved aliases and statistics, for example, too. */
  records: number;
  /** Equal for equal content. Read from both stores, after the copy. */
  digest: string;
};

type Options = {
  /** Milliseconds since the epoch. */
  now: number;
  onProgress?: (done: number, total: number) => void;
};

/**
 * Copies everything from one store to another, which must be empty, reads the copy again, and compares both by
 * their digests. No server can use the copy before they are equal. A copy that is interrupted starts again.
 *
 * @param from URL as in `STORE_URL`; no server may use it meanwhile
 * @throws StoreOpenError
 */
export async function copyStore(from: string, to: string, options: Options): Promise<CopyReport> {
  const target = await openTarget(to, options.now);
  try {
    const source = await openSource(from, options.now);
    return await copyRecords(source, target, options).finally(() => source.close());
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

async function copyRecords(
  source: CopySource,
  target: CopyTarget,
  { onProgress = () => {} }: Options,
): Promise<CopyReport> {
  // Reading the copy again takes its share of the progress.
  const total = 2 * source.count;
  const copied = await readAll(source, async (records, done) => {
    await target.write(records);
    onProgress(Math.min(done, source.count), total);
  });
  const copy = await target.read();
  const verified = await readAll(copy, async (_records, done) => {
    onProgress(Math.min(source.count + done, total), total);
  }).finally(() => copy.close());
  if (verified.digest.text !== copied.digest.text) {
    throw new StoreOpenError(
      `The copy differs from its source, and was not put into use. Source: ${copied.digest.text}. Copy: ${verified.digest.text}.`,
    );
  }
  await target.finish();
  onProgress(total, total);
  const { digest, records } = copied;
  return {
    links: digest.count('link'),
    accounts: digest.count('account'),
    records,
    digest: digest.text,
  };
}

/** @param onBatch called with each batch and the number of records so far */
async function readAll(
  source: CopySource,
  onBatch: (batch: CopyRecord[], records: number) => Promise<void>,
): Promise<{ digest: CopyDigest; records: number }> {
  const digest = new CopyDigest();
  let records = 0;
  for await (const batch of source.records()) {
    for (const record of batch) digest.add(record);
    records += batch.length;
    await onBatch(batch, records);
  }
  return { digest, records };
}
