type Hold = { amount: number; holders: readonly string[]; takeAway: (() => void) | undefined };
type Holdings = { amount: number; holds: Set<Hold> };

/**
 * Divides something scarce, such as memory, among those who hold it for a while. Nobody holds more than a
 * share, apart from a single thing that is larger. When all is taken, whoever holds the most loses the oldest
 * thing to somebody who holds less, so that a few can't keep everybody else out.
 */
export class Shares {
  readonly #total: number;
  readonly #share: number;
  readonly #holdings = new Map<string, Holdings>();
  #taken = 0;

  constructor({ total, share }: { total: number; share: number }) {
    this.#total = total;
    this.#share = share;
  }

  /**
   * @param holders for each of whom it counts, such as an address, its network, and an account
   * @param takeAway ends the use at once. @default what is taken stays taken
   * @returns what gives it back, once; undefined if there is not enough
   */
  take(
    holders: readonly string[],
    amount: number,
    takeAway?: () => void,
  ): (() => void) | undefined {
    const most = Math.max(0, ...holders.map((holder) => this.#holdings.get(holder)?.amount ?? 0));
    if (most > 0 && most + amount > this.#share) return undefined;
    while (this.#taken > 0 && this.#taken + amount > this.#total) {
      const oldest = this.#oldestOfLargest(most + amount);
      if (!oldest) return undefined;
      this.#giveBack(oldest);
      oldest.takeAway?.();
    }
    const hold = { amount, holders: [...new Set(holders)], takeAway };
    this.#taken += amount;
    for (const holder of hold.holders) {
      const holdings = this.#holdings.get(holder) ?? { amount: 0, holds: new Set() };
      holdings.amount += amount;
      holdings.holds.add(hold);
      this.#holdings.set(holder, holdings);
    }
    return () => this.#giveBack(hold);
  }

  /** The oldest thing that can be taken away from whoever holds the most, and more than `amount`. */
  #oldestOfLargest(amount: number): Hold | undefined {
    let largest: Holdings | undefined;
    let most = amount;
    for (const holdings of this.#holdings.values()) {
      if (holdings.amount <= most) continue;
      most = holdings.amount;
      largest = holdings;
    }
    return largest && [...largest.holds].find(({ takeAway }) => takeAway);
  }

  #giveBack(hold: Hold): void {
    let isHeld = false;
    for (const holder of hold.holders) {
      const holdings = this.#holdings.get(holder);
      if (!holdings?.holds.delete(hold)) continue;
      isHeld = true;
      holdings.amount -= hold.amount;
      if (holdings.holds.size === 0) this.#holdings.delete(holder);
    }
    if (isHeld) this.#taken -= hold.amount;
  }
}
