import { hash } from 'node:crypto';
import { isPostgresUrl } from '../../lib/settings.ts';
import type { CopyRecord, CopyRecordKind, CopySource, CopyTarget } from '../copy-record.ts';
import { openDatabaseSource, openDatabaseTarget } from '../postgres/copy/database-copy.ts';
import { type StoreRecord, toRecordJson } from '../records.ts';
import { fromHistoryJson, toHistoryJson } from '../statistics/history.ts';
import { StoreOpenError } from '../store.ts';
import { folderOf } from '../store-url.ts';
import { openFolderSource, openFolderTarget } from './folder-copy.ts';

/** The shape is part of `curt copy --json`. */
type CopyReport = {
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

/** Sums are modulo 2^128. */
const SUM_BITS = 128;
const SUM_HEX_DIGITS = SUM_BITS / 4;

type Sum = { count: number; sum: bigint };

/**
 * The number of records by kind, and a checksum that does not depend on their order: the sum of their
 * hashes. Two stores with equal digests have the same content.
 */
export class CopyDigest {
  readonly #sums = new Map<CopyRecordKind, Sum>();

  add(record: CopyRecord): void {
    const [kind] = record;
    const sum = this.#sums.get(kind) ?? { count: 0, sum: 0n };
    const digest = hash('sha256', toText(record));
    sum.count++;
    sum.sum = BigInt.asUintN(SUM_BITS, sum.sum + BigInt(`0x${digest.slice(0, SUM_HEX_DIGITS)}`));
    this.#sums.set(kind, sum);
  }

  count(kind: CopyRecordKind): number {
    return this.#sums.get(kind)?.count ?? 0;
  }

  /** All counts and sums, such as `account 2 5f…, link 3 a0…`. */
  get text(): string {
    return [...this.#sums]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([kind, { count, sum }]) => `${kind} ${count} ${sum.toString(16)}`)
      .join(', ');
  }
}

/** The same for the same content, in whatever way a store writes it: with the members of objects in order. */
function toText(record: CopyRecord): string {
  return JSON.stringify(toJson(record), (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

function toJson(record: CopyRecord): unknown {
  const [kind, key, value] = record;
  if (kind === 'history') return [kind, key, toHistoryJson(fromHistoryJson(value).rollUp())];
  return kind === 'secret' || kind === 'audit' ? record : toRecordJson(record as StoreRecord);
}
