import { StoreOpenError } from '../store.ts';
import { CopyDigest } from './copy-digest.ts';
import type { CopyRecordKind, CopySource, CopyTarget } from './copy-record.ts';

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
  /** Records that an earlier, interrupted copy had written. */
  resumedAfter: number;
  /** Equal for equal content. Read from both stores, after the copy. */
  digest: string;
};

export type CopyTask = {
  /** @param now keys that have expired by then are left out */
  openSource: (now: number) => Promise<CopySource>;
  target: CopyTarget;
  onProgress: (done: number, total: number) => void;
};

const REPORTED: CopyRecordKind[] = ['link', 'account'];

/**
 * Copies everything from one store to another, reads the copy again, and compares both by their digests.
 * If it is interrupted, another call goes on where it ended.
 *
 * @throws CopyError if the source is not what it was when an interrupted copy began, or if the copy differs
 */
export async function copyStore({ openSource, target, onProgress }: CopyTask): Promise<CopyReport> {
  const { done } = target;
  const source = await openSource(done.started);
  // Reading the copy again takes its share of the progress.
  const total = 2 * source.count;
  const digest = new CopyDigest();
  let records = 0;
  try {
    for await (const batch of source.records()) {
      const known = Math.min(batch.length, Math.max(0, done.records - records));
      for (const record of batch.slice(0, known)) digest.add(record);
      records += known;
      if (known > 0 && records === done.records && digest.text !== done.digest)
        throw changedSince();
      const rest = batch.slice(known);
      if (rest.length > 0) {
        for (const record of rest) digest.add(record);
        records += rest.length;
        await target.write(rest, { started: done.started, records, digest: digest.text });
      }
      onProgress(Math.min(records, source.count), total);
    }
  } finally {
    await source.close();
  }
  if (records < done.records) throw changedSince();
  await verify(await target.read(), digest, (read) =>
    onProgress(Math.min(source.count + read, total), total),
  );
  await target.finish();
  onProgress(total, total);
  const [links = 0, accounts = 0] = REPORTED.map((kind) => digest.count(kind));
  return { links, accounts, records, resumedAfter: done.records, digest: digest.text };
}

async function verify(
  copy: CopySource,
  expected: CopyDigest,
  onProgress: (read: number) => void,
): Promise<void> {
  const digest = new CopyDigest();
  let read = 0;
  try {
    for await (const batch of copy.records()) {
      for (const record of batch) digest.add(record);
      read += batch.length;
      onProgress(read);
    }
  } finally {
    await copy.close();
  }
  if (digest.text === expected.text) return;
  throw new CopyError(
    `The copy differs from its source, and was not put into use. Source: ${expected.text}. Copy: ${digest.text}.`,
  );
}

function changedSince(): CopyError {
  return new CopyError(
    'The source has changed since an interrupted copy began. Empty the target and start again.',
  );
}
