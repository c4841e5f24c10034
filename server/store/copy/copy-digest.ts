import { hash } from 'node:crypto';
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
    const digest = hash('sha256', `${record.kind} ${toText(record)}`);
    sum.count++;
    sum.sum = BigInt.asUintN(SUM_BITS, sum.sum + BigInt(`0x${digest.slice(0, SUM_HEX_DIGITS)}`));
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

/** Stores may write the same content in different ways. The text is the same for the same content. */
function toText(record: CopyRecord): string {
  switch (record.kind) {
    case 'link': {
      const { link, first, idempotency: key } = record;
      const unvisited = first && toLinkText({ ...link, hits: 0 });
      const original = first && toLinkText({ ...first, hits: 0 });
      const isEdited = original !== undefined && original !== unvisited;
      const keyTexts = key && [key.keyHash, key.bodyHash, key.tokenSalt];
      return `${toLinkText(link)}${JSON.stringify([keyTexts, isEdited && original])}`;
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
      return JSON.stringify(toHistoryJson(owner, history));
    }
    default:
      return toSortedJson(record);
  }
}

/** With members in a fixed order, and without default values. */
function toLinkText(json: LinkJson): string {
  return JSON.stringify(toLinkJson(fromLinkJson(json, json.hits ?? 0)));
}

/** JSON with the members of objects in order. */
function toSortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
