import type { Account, LinkCounts } from '../../account.ts';
import type { Link } from '../../link.ts';
import { isIn, type Month } from '../../records/month.ts';
import { LinkOrder } from './link-order.ts';

/** An account with what belongs to it. */
export class AccountEntry {
  readonly id: string;
  /** In the order in which accounts were added. */
  readonly index: number;
  /** Undefined if only links name it. */
  account: Account | undefined;
  readonly links = new LinkOrder();
  #imported = 0;
  /** How many links have each; most accounts have none. A link that is moved here may share one. */
  #importKeys: Map<string, number> | undefined;
  /** The month that was asked for last, and its links that were not imported. */
  #month: Month;
  #inMonth = 0;

  /** @param month that will be asked for */
  constructor(id: string, index: number, month: Month) {
    this.id = id;
    this.index = index;
    this.#month = month;
  }

  addLink(link: Link): void {
    this.links.add(link);
    this.#count(link, 1);
  }

  removeLink(link: Link): void {
    this.links.remove(link);
    this.#count(link, -1);
  }

  hasImportKey(importKey: string): boolean {
    return this.#importKeys?.has(importKey) ?? false;
  }

  /** Of the links alone. */
  counts(month: Month): LinkCounts {
    if (month.number !== this.#month.number) this.#countMonth(month);
    return { month: this.#inMonth, total: this.links.count, imported: this.#imported };
  }

  #count({ created, importKey }: Link, change: 1 | -1): void {
    if (importKey !== null) this.#countImport(importKey, change);
    else if (isIn(created, this.#month)) this.#inMonth += change;
  }

  #countImport(importKey: string, change: 1 | -1): void {
    this.#imported += change;
    this.#importKeys ??= new Map();
    const count = (this.#importKeys.get(importKey) ?? 0) + change;
    if (count > 0) this.#importKeys.set(importKey, count);
    else this.#importKeys.delete(importKey);
  }

  /** Few links are newer than the start of a month that has just begun. */
  #countMonth(month: Month): void {
    this.#month = month;
    this.#inMonth = 0;
    for (const link of this.links.newestFirst(null)) {
      if (link.created < month.start) return;
      if (link.importKey === null && isIn(link.created, month)) this.#inMonth++;
    }
  }
}
