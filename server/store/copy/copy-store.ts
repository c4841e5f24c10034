import { StoreOpenError } from '../store.ts';
import { CopyDigest } from './copy-digest.ts';
import type { CopySource, CopyTarget } from './copy-record.ts';

/** A store cannot be copied. The message tells the operator what to do. */
export class CopyError extends StoreOpenError {
  override name = 'CopyError';
}

/** The shape is part of `curt copy --json`. */
export type CopyReport = {
  links: number;
  accounts: number;
  /** All records: tokens, reserved aliases and statistics, for example, too. */
  records: number;
  /** Equal for equal content. Read from both stores, after the copy. */
  digest: string;
};

export type CopyTask = {
  source: CopySource;
  target: CopyTarget;
  onProgress: (done: number, total: number) => void;
};

/**
 * Copies everything from one store to another, reads the copy again, and compares both by their digests. A
 * copy that is interrupted starts again.
 *
 * @throws CopyError if the copy differs
 */
export async function copyStore({ source, target, onProgress }: CopyTask): Promise<CopyReport> {
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
    throw new CopyError(
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
  onBatch: (batch: Parameters<CopyTarget['write']>[0], records: number) => Promise<void>,
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
