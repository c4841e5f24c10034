import { systemTime, type Time } from '../../shared/time.ts';

/** 2026-11-20T12:00:00Z: a Friday noon in the middle of a month. */
export const START = Date.UTC(2026, 10, 20, 12);

const DAY_MS = 86_400_000;

type Timer = { at: number; task: () => void | Promise<void> };

/** Time that stands still until a test advances it. */
export class ManualTime implements Time {
  #now: number;
  #uptime = 5000;
  readonly #timers = new Set<Timer>();
  #onTimer: (ms: number) => void = () => {};

  constructor(start = START) {
    this.#now = start;
  }

  readonly now = () => this.#now;
  readonly monotonic = () => this.#uptime;

  readonly after = (ms: number, task: Timer['task']) => {
    const timer = { at: this.#uptime + ms, task };
    this.#timers.add(timer);
    this.#onTimer(ms);
    return () => {
      this.#timers.delete(timer);
    };
  };

  /**
   * Advances time, like a machine that was asleep: what is due runs once, the earliest first.
   *
   * @returns a promise of the end of all that has run
   */
  async advance(ms: number): Promise<void> {
    this.#now += ms;
    this.#uptime += ms;
    const due = [...this.#timers].filter(({ at }) => at <= this.#uptime);
    const tasks = due
      .sort((a, b) => a.at - b.at)
      // An earlier one may have canceled it.
      .map((timer) => this.#timers.delete(timer) && timer.task());
    await Promise.all(tasks);
  }

  /** Advances time day by day, like a machine that runs: what is due in between runs once a day. */
  async passDays(days: number): Promise<void> {
    for (let day = 0; day < days; day++) await this.advance(DAY_MS);
  }

  /** How many wait for something. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Resolves when something begins to wait for so long. */
  waitFor(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#onTimer = (each) => {
        if (each === ms) resolve();
      };
    });
  }

  /** Sets the clock of the machine, which measures no durations. */
  setClock(now: number): void {
    this.#now = now;
  }
}

/** Real time, apart from a clock that stands still: for what waits for other processes. */
export function timeAt(now = START): Time {
  return { ...systemTime, now: () => now };
}

/** Time in which every wait is over at once: for a server that never answers. */
export const hurryingTime: Time = {
  ...systemTime,
  after(_ms, task) {
    const immediate = setImmediate(task);
    return () => clearImmediate(immediate);
  },
};
