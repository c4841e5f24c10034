/** How full a client's window is. */
export type WindowState = { current: number; ttl: number };

type Window = { current: number; endsAt: number };
type Callback = (error: Error | null, result?: WindowState) => void;

/** Beyond it the oldest window goes: a bound on memory that no honest load reaches. */
const MAX_WINDOWS = 200_000;

/**
 * Counts events per key in fixed windows, in memory only: a client's address is on no disk, and a
 * restart forgives. It is a store for @fastify/rate-limit (`incr`, `read`, `child`), and counts
 * what that plugin does not: events known only afterwards, such as a wrong password.
 */
export class WindowCounter {
  readonly #windows = new Map<string, Window>();
  readonly #windowMs: number;
  readonly #clock: () => number;

  constructor(windowMs: number, clock: () => number) {
    this.#windowMs = windowMs;
    this.#clock = clock;
  }

  /** Counts one event, and says how many the window holds with it; `ttl` in milliseconds. */
  add(key: string): WindowState {
    const window = this.#current(key) ?? this.#open(key);
    window.current++;
    return { current: window.current, ttl: window.endsAt - this.#clock() };
  }

  /** Takes one event back, such as a try whose password was right. */
  takeBack(key: string): void {
    const window = this.#current(key);
    if (window && window.current > 0) window.current--;
  }

  /** How full the window is, counting nothing. */
  state(key: string): WindowState {
    const window = this.#current(key);
    return window
      ? { current: window.current, ttl: window.endsAt - this.#clock() }
      : { current: 0, ttl: 0 };
  }

  #current(key: string): Window | undefined {
    const window = this.#windows.get(key);
    return window && window.endsAt > this.#clock() ? window : undefined;
  }

  #open(key: string): Window {
    this.#dropEnded();
    const window = { current: 0, endsAt: this.#clock() + this.#windowMs };
    // Deleted first, so that the map stays ordered by age.
    this.#windows.delete(key);
    this.#windows.set(key, window);
    return window;
  }

  #dropEnded(): void {
    const now = this.#clock();
    for (const [key, window] of this.#windows) {
      if (window.endsAt > now && this.#windows.size < MAX_WINDOWS) return;
      this.#windows.delete(key);
    }
  }

  // The shape that @fastify/rate-limit asks of a store.

  incr(key: string, callback: Callback): void {
    callback(null, this.add(key));
  }

  read(key: string, callback: Callback): void {
    callback(null, this.state(key));
  }

  child(): this {
    return this;
  }
}
