import { HOUR_MS } from '../../../core/durations.ts';
import { History } from '../../statistics/history.ts';
import { fromHistoryJson, type HistoryJson } from '../../statistics/history-json.ts';
import type { Statistics, VisitsOfHour } from '../../visits.ts';
import { Column } from '../memory/column.ts';
import { toLineKeys } from './history-bytes.ts';
import { HistoryTable } from './history-table.ts';
import { VisitSums } from './visit-sums.ts';
import { type LinkVisitsJson, toVisitsJson, type VisitsJson } from './visits-json.ts';

/** More links would make a line that takes too long to write and to apply. */
const MAX_LINKS_A_LINE = 1000;

/** What statistics need to know of the links. */
type Links = {
  numberOf(id: string): number | undefined;
  accountIdOf(number: number): string;
  isErased(number: number): boolean;
};

/** A line to write, and what to add to memory once it is on disk. */
export type VisitsLine = { members: string; visits: VisitsJson; numbers: number[] };

/**
 * The statistics of all links and accounts that were visited; the others take four bytes at most. A link
 * with a few visits takes about 100 bytes, one that is visited every hour for years at most 80 kB.
 */
export class StoredStatistics {
  readonly #links: Links;
  readonly #histories = new HistoryTable({ rollsUp: true });
  /** Slots by the link's number, plus one. */
  readonly #slotOfLink = new Column(Uint32Array);
  readonly #slotOfAccount = new Map<string, number>();
  /** Their links are erased a little later, and may still be visited until then. */
  readonly #erasedAccounts = new Set<string>();

  constructor(links: Links) {
    this.#links = links;
  }

  /** Visits as members of journal lines. Unknown links are left out. */
  toLines(visits: VisitsOfHour[]): VisitsLine[] {
    const lines: VisitsLine[] = [];
    for (let start = 0; start < visits.length; start += MAX_LINKS_A_LINE) {
      const numbers: number[] = [];
      const json = toVisitsJson(visits.slice(start, start + MAX_LINKS_A_LINE), (linkId) => {
        const number = this.#links.numberOf(linkId);
        if (number === undefined) return undefined;
        numbers.push(number);
        return this.#links.accountIdOf(number);
      });
      if (numbers.length === 0) continue;
      lines.push({ members: `"visits":${JSON.stringify(json)}`, visits: json, numbers });
    }
    return lines;
  }

  /**
   * Adds the visits of a line. Links that were erased since it was written are skipped.
   *
   * @param numbers of the links, if they are known
   */
  add({ keys, links }: VisitsJson, numbers?: number[]): void {
    const sums = new VisitSums();
    const lineKeys = toLineKeys(keys);
    for (let index = 0; index < links.length; index++) {
      const link = links[index] as LinkVisitsJson;
      const number = numbers?.[index] ?? this.#links.numberOf(link[0]);
      if (number === undefined || this.#links.isErased(number)) continue;
      if (this.#erasedAccounts.has(keys[link[1]] ?? '')) continue;
      this.#histories.add(this.#linkSlot(number), link, lineKeys);
      sums.add(link);
    }
    for (const sum of sums.entries()) {
      this.#histories.add(this.#accountSlot(keys[sum[1]] ?? ''), sum, lineKeys);
    }
  }

  /** Loads a line of a snapshot. */
  load(json: HistoryJson): void {
    if (json.link === undefined) {
      this.#histories.write(this.#accountSlot(json.account), fromHistoryJson(json));
      return;
    }
    const number = this.#links.numberOf(json.link);
    if (number === undefined) return;
    this.#histories.write(this.#linkSlot(number), fromHistoryJson(json));
  }

  /** @param now milliseconds since the epoch */
  read(of: { linkId: string } | { accountId: string }, now: number): Statistics {
    const slot =
      'linkId' in of ? this.#findLinkSlot(of.linkId) : this.#slotOfAccount.get(of.accountId);
    const history = slot === undefined ? new History() : this.#histories.read(slot);
    return history.toStatistics(Math.floor(now / HOUR_MS));
  }

  /** Must be called before the link leaves the table of links. Its account keeps the visits. */
  erase(linkId: string): void {
    const number = this.#links.numberOf(linkId);
    const slot = this.#findLinkSlot(linkId);
    if (number === undefined || slot === undefined) return;
    this.#histories.remove(slot);
    this.#slotOfLink.set(number, 0, 0);
  }

  /** Erases the sums of a deleted account, but not yet the statistics of its links. */
  eraseAccount(accountId: string): void {
    this.#erasedAccounts.add(accountId);
    const slot = this.#slotOfAccount.get(accountId);
    if (slot === undefined) return;
    this.#histories.remove(slot);
    this.#slotOfAccount.delete(accountId);
  }

  /** Memory for the statistics of all links and accounts. */
  get memoryBytes(): number {
    return this.#histories.memoryBytes;
  }

  /** Bytes that the statistics of a link take. */
  bytesOf(linkId: string): number {
    const slot = this.#findLinkSlot(linkId);
    return slot === undefined ? 0 : this.#histories.lengthOf(slot);
  }

  #findLinkSlot(linkId: string): number | undefined {
    const number = this.#links.numberOf(linkId);
    const slot = number === undefined ? 0 : this.#slotOfLink.get(number);
    return slot === 0 ? undefined : slot - 1;
  }

  #linkSlot(number: number): number {
    const known = this.#slotOfLink.get(number);
    if (known > 0) return known - 1;
    const slot = this.#histories.create();
    this.#slotOfLink.set(number, 0, slot + 1);
    return slot;
  }

  #accountSlot(accountId: string): number {
    const known = this.#slotOfAccount.get(accountId);
    if (known !== undefined) return known;
    const slot = this.#histories.create();
    this.#slotOfAccount.set(accountId, slot);
    return slot;
  }
}
