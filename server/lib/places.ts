import { systemTime, type Time } from '../../shared/time.ts';

/** So many at a time. Others wait for their turn, in the order of their calls. */
export class Places {
  #count: number;
  #taken = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #time: Time;

  constructor(count: number, time = systemTime) {
    this.#count = count;
    this.#time = time;
  }

  /** @param count 1 or more. Those who have a place keep it. */
  resize(count: number): void {
    this.#count = count;
    this.#fill();
  }

  /**
   * Runs a task in a place.
   *
   * @param timeoutMs undefined to wait however long it takes
   * @returns what `onTimeout` returns or throws if none is free within the time
   */
  async use<T>(
    timeoutMs: number | undefined,
    task: () => Promise<T>,
    onTimeout: () => T,
  ): Promise<T> {
    if (!(await this.#take(timeoutMs))) return onTimeout();
    try {
      return await task();
    } finally {
      this.#taken--;
      this.#fill();
    }
  }

  #fill(): void {
    while (this.#taken < this.#count && this.#waiting.length > 0) {
      this.#taken++;
      this.#waiting.shift()?.();
    }
  }

  /** @returns whether it has a place */
  async #take(timeoutMs: number | undefined): Promise<boolean> {
    if (this.#taken < this.#count) {
      this.#taken++;
      return true;
    }
    return waitForTurn(this.#waiting, timeoutMs, this.#time);
  }
}

/**
 * Waits in a queue, whose owner takes out the first one and calls it when its turn has come.
 *
 * @returns whether that was within the time; if not, it is in the queue no more
 */
export async function waitForTurn(
  queue: (() => void)[],
  timeoutMs: number | undefined,
  time: Time,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const turn = () => resolve(true);
  if (timeoutMs === undefined) {
    queue.push(turn);
    return promise;
  }
  const cancel = time.after(timeoutMs, () => {
    const index = queue.indexOf(turn);
    // Otherwise its turn has just come.
    if (index === -1) return;
    queue.splice(index, 1);
    resolve(false);
  });
  queue.push(turn);
  return promise.finally(cancel);
}
