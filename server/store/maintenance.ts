import { every, type Time } from '../../shared/time.ts';

/** Runs a task when it is started and then at regular intervals, one at a time, until it is closed. */
export class Maintenance {
  readonly #task: (isClosed: () => boolean) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #end: () => void;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(
    task: (isClosed: () => boolean) => Promise<void>,
    everyMs: number,
    onError: (error: unknown) => void,
    time: Time,
  ) {
    this.#task = task;
    this.#onError = onError;
    const cancelFirst = time.after(0, () => this.#run());
    const cancelFurther = every(time, everyMs, () => this.#run());
    this.#end = () => {
      cancelFirst();
      cancelFurther();
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#end();
    await this.#running;
  }

  #run(): Promise<void> {
    this.#running ??= this.#task(() => this.#isClosed)
      .catch(this.#onError)
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }
}

/** Repeats a task until it says that nothing is left to do, or until `isClosed` returns true. */
export async function untilDone(
  isClosed: () => boolean,
  doSome: () => Promise<boolean>,
): Promise<void> {
  for (let isMore = true; isMore && !isClosed(); ) isMore = await doSome();
}
