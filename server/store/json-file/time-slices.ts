/** Other requests wait no longer than this for the work of lists. */
const SLICE_MS = 5;

/**
 * Divides the work of many callers into slices, so that it never blocks the event loop for long. All
 * callers share one slice in each turn of the event loop, the one that has waited longest first.
 */
export class TimeSlices {
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];
  #end = 0;

  /** @param now in milliseconds. @default performance.now */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether the caller must wait for its next slice. */
  get isOver(): boolean {
    return this.#now() >= this.#end;
  }

  /** Resolves when the caller may work. It must call this before it starts, too. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(() => this.#runTurn());
    });
  }

  async #runTurn(): Promise<void> {
    this.#end = this.#now() + SLICE_MS;
    let resume = this.#waiting[0];
    while (resume) {
      resume();
      // The caller works now, until it is done or waits again.
      await undefined;
      this.#waiting.shift();
      resume = this.isOver ? undefined : this.#waiting[0];
    }
    if (this.#waiting.length > 0) setImmediate(() => this.#runTurn());
  }
}
