/** Runs a task when it is started and then at regular intervals, one at a time, until it is closed. */
export class Maintenance {
  readonly #task: (isClosed: () => boolean) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(
    task: (isClosed: () => boolean) => Promise<void>,
    everyMs: number,
    onError: (error: unknown) => void,
  ) {
    this.#task = task;
    this.#onError = onError;
    this.#timer = setInterval(() => this.#run(), everyMs).unref();
    this.#run();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  #run(): void {
    this.#running ??= this.#task(() => this.#isClosed)
      .catch(this.#onError)
      .finally(() => {
        this.#running = undefined;
      });
  }
}

/** Repeats a task until it says that nothing is left to do, or until `isClosed` returns true. */
export async function untilDone(
  isClosed: () => boolean,
  doSome: () => Promise<boolean>,
): Promise<void> {
  for (let isMore = true; isMore && !isClosed(); ) isMore = await doSome();
}
