/** Time as programs use it. It is a parameter of whatever waits or measures, so that tests can own it. */
export type Time = {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds for durations: they only grow, whereas the clock of a machine can be set. */
  readonly monotonic: () => number;
  /**
   * Runs a task once, after so many milliseconds. It doesn't keep Node.js running.
   *
   * @param task handles its own errors. A test waits for its promise.
   * @returns cancels it
   */
  readonly after: (ms: number, task: Task) => () => void;
};

type Task = () => void | Promise<void>;

export const systemTime: Time = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    // Browsers have numbers.
    if (typeof timer === 'object') timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Runs a task again and again. @returns ends it */
export function every({ after }: Time, ms: number, task: Task): () => void {
  const run = () => {
    cancel = after(ms, run);
    return task();
  };
  let cancel = after(ms, run);
  return () => cancel();
}

/** A signal for `fetch`, like that of `AbortSignal.timeout`. */
export function timeoutSignal({ after }: Time, ms: number): AbortSignal {
  const controller = new AbortController();
  after(ms, () => controller.abort(new DOMException('It took too long.', 'TimeoutError')));
  return controller.signal;
}

export function sleep({ after }: Time, ms: number): Promise<void> {
  return new Promise((resolve) => {
    after(ms, resolve);
  });
}
