import { hash } from 'node:crypto';
import type { CopyRecord, CopyRecordKind } from '../copy-record.ts';
import { type StoreRecord, toRecordJson } from '../records.ts';
import { fromHistoryJson, toHistoryJson } from '../statistics/history-json.ts';

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
