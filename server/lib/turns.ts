/** Lets tasks take turns: one of them in each turn of the event loop, in the order of their calls. */
export class Turns {
  readonly #waiting: (() => void)[] = [];

  /** Resolves when the task may go on, until it waits again. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(() => this.#goOn());
    });
  }

  #goOn(): void {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(() => this.#goOn());
  }
}
