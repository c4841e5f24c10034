import type { History } from '../../statistics/history.ts';
import {
  fromHistoryJson,
  type HistoryJson,
  type HistoryOwner,
  toHistoryJson,
} from '../../statistics/history-json.ts';
import { toLineKeys } from './history-bytes.ts';
import { HistoryTable } from './history-table.ts';
import { VisitSums } from './visit-sums.ts';
import type { VisitsJson } from './visits-json.ts';

type Entry = { slot: number; account: string };

/**
 * The visits in the journals of a compaction, to be merged with the statistics in the previous snapshot.
 * First all journals are read in order (`add`, `erase…`), then the snapshot (`merge`), and what has no
 * statistics in there comes last (`rest`).
 */
export class CompactedStatistics {
  readonly #histories = new HistoryTable({ rollsUp: false });
  readonly #links = new Map<string, Entry>();
  readonly #accounts = new Map<string, Entry>();
  /** The new accounts of links that were moved. */
  readonly #movedTo = new Map<string, string>();
  readonly #erasedLinks = new Set<string>();
  readonly #erasedAccounts = new Set<string>();

  add({ keys, links }: VisitsJson): void {
    const sums = new VisitSums();
    const lineKeys = toLineKeys(keys);
    for (const link of links) {
      const [id, accountKey] = link;
      const account = keys[accountKey] ?? '';
      if (this.#isErased({ link: id, account })) continue;
      const owner = this.#movedTo.get(id) ?? account;
      this.#histories.add(this.#slot(this.#links, id, owner), link, lineKeys);
      sums.add(link);
    }
    for (const sum of sums.entries()) {
      const account = keys[sum[1]] ?? '';
      this.#histories.add(this.#slot(this.#accounts, account, account), sum, lineKeys);
    }
  }

  /** A link got another account, which does not have its earlier visits in its sum. */
  move(linkId: string, to: string): void {
    this.#movedTo.set(linkId, to);
    const entry = this.#links.get(linkId);
    if (entry) entry.account = to;
  }

  /** A link was purged. Its account keeps its visits. */
  erase(linkId: string): void {
    this.#erasedLinks.add(linkId);
    this.#remove(this.#links, linkId);
  }

  /** An account was deleted, with its links. */
  eraseAccount(accountId: string): void {
    this.#erasedAccounts.add(accountId);
    this.#remove(this.#accounts, accountId);
  }

  /** @returns the members of the new line; undefined if the statistics were erased */
  merge(snapshot: HistoryJson): string | undefined {
    const movedTo = snapshot.link === undefined ? undefined : this.#movedTo.get(snapshot.link);
    const json = movedTo === undefined ? snapshot : { ...snapshot, account: movedTo };
    if (this.#isErased(json)) return undefined;
    const entries = json.link === undefined ? this.#accounts : this.#links;
    const id = json.link ?? json.account;
    const entry = entries.get(id);
    if (!entry) return toMembers(json, fromHistoryJson(json));
    const history = fromHistoryJson(json);
    history.addHistory(this.#histories.read(entry.slot));
    entries.delete(id);
    return toMembers(json, history);
  }

  /** The members of the lines of all that the previous snapshot has no statistics of. */
  *rest(): Generator<string> {
    for (const [link, { slot, account }] of this.#links) {
      if (this.#erasedAccounts.has(account)) continue;
      yield toMembers({ link, account }, this.#histories.read(slot));
    }
    for (const [account, { slot }] of this.#accounts) {
      yield toMembers({ account }, this.#histories.read(slot));
    }
  }

  #isErased({ link, account }: HistoryOwner): boolean {
    return this.#erasedAccounts.has(account) || (link !== undefined && this.#erasedLinks.has(link));
  }

  #slot(entries: Map<string, Entry>, id: string, account: string): number {
    const entry = entries.get(id) ?? { slot: this.#histories.create(), account };
    entries.set(id, entry);
    return entry.slot;
  }

  #remove(entries: Map<string, Entry>, id: string): void {
    const entry = entries.get(id);
    if (!entry) return;
    this.#histories.remove(entry.slot);
    entries.delete(id);
  }
}

function toMembers(owner: HistoryOwner, history: History): string {
  return `"statistics":${JSON.stringify(toHistoryJson(owner, history.rollUp()))}`;
}
