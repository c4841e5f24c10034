import { createHash } from 'node:crypto';
import { fromLinkJson, type LinkJson, toLinkJson } from '../records/link-json.ts';
import { fromHistoryJson, toHistoryJson } from '../statistics/history-json.ts';
import type { CopyRecord, CopyRecordKind } from './copy-record.ts';

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
    const sum = this.#sums.get(record.kind) ?? { count: 0, sum: 0n };
    const hash = createHash('sha256')
      .update(toSortedJson(normalize(record)))
      .digest('hex');
    sum.count++;
    sum.sum = BigInt.asUintN(SUM_BITS, sum.sum + BigInt(`0x${hash.slice(0, SUM_HEX_DIGITS)}`));
    this.#sums.set(record.kind, sum);
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

/** Stores may write the same content in different ways. */
function normalize(record: CopyRecord): CopyRecord {
  switch (record.kind) {
    case 'link': {
      const { first, ...rest } = record;
      const link = normalizeLink(record.link);
      const original = first && normalizeLink({ ...first, hits: 0 });
      const isEdited = original && toSortedJson(original) !== toSortedJson({ ...link, hits: 0 });
      return { ...rest, link, ...(isEdited && { first: original }) };
    }
    case 'statistics': {
      const { link, account } = record.statistics;
      const history = fromHistoryJson(record.statistics).rollUp();
      for (const series of [history.talliesOfDays, history.talliesOfMonths]) {
        for (const tallies of series.values()) {
          for (const [index, tally] of tallies.entries())
            tallies[index] = new Map([...tally].sort());
        }
      }
      // The account of a link is known from the link.
      const owner = link === undefined ? { account } : { link, account: '' };
      return { kind: 'statistics', statistics: toHistoryJson(owner, history) };
    }
    default:
      return record;
  }
}

function normalizeLink(json: LinkJson): LinkJson {
  return toLinkJson(fromLinkJson(json, json.hits ?? 0));
}

/** JSON with the members of objects in order. */
function toSortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
