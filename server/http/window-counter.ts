/** How full a key's window is. `ttl` is in milliseconds. */
export type WindowState = { current: number; ttl: number };

export type WindowOptions = {
  /** How long a window lasts, from its first event. */
  windowMs: number;
  /** Events that a window has room for. */
  max: number;
  /** Monotonic milliseconds: a corrected wall clock must not lengthen a window. */
  clock: () => number;
};

type Window = { current: number; endsAt: number };
type Callback = (error: Error | null, result?: WindowState) => void;

/** Bounds memory: a counter holds at most four times as many windows. */
export const MAX_WINDOWS_PER_GENERATION = 32_768;

/**
 * Counts events per key in fixed windows. Everything is in memory only: no client's address
 * reaches the disk, and a restart resets all windows.
 *
 * Windows live in two generations of maps. A generation takes new windows for `windowMs`, then
 * stays for another `windowMs`, then goes as a whole: no call ever looks for what has ended. A
 * flood of new keys shortens a generation, and may so end windows early, but never full ones:
 * those have generations of their own, which take `max` events for each key to fill.
 *
 * It is also a store for @fastify/rate-limit (`incr`, `read`, `child`), whose own reads the wall
 * clock.
 */
export class WindowCounter {
  readonly #windowMs: number;
  readonly #max: number;
  readonly #clock: () => number;
  readonly #open = new Generations();
  readonly #full = new Generations();
  #rotatesAt: number;

  constructor({ windowMs, max, clock }: WindowOptions) {
    this.#windowMs = windowMs;
    this.#max = max;
    this.#clock = clock;
    this.#rotatesAt = clock() + windowMs;
  }

  /** Counts one event, whether or not there is room for it. */
  add(key: string): WindowState {
    const now = this.#clock();
    const window = this.#count(key, this.#current(key, now), now);
    return { current: window.current, ttl: window.endsAt - now };
  }

  /**
   * Counts one event if the window has room for it.
   *
   * @returns 0, or the milliseconds until there is room
   */
  take(key: string): number {
    const now = this.#clock();
    const window = this.#current(key, now);
    if ((window?.current ?? 0) >= this.#max) return window ? window.endsAt - now : this.#windowMs;
    this.#count(key, window, now);
    return 0;
  }

  /** Takes one event back, such as an attempt whose password was right. */
  takeBack(key: string): void {
    if (!this.#open.takeBack(key)) this.#full.takeBack(key);
  }

  /** Whether there is no room for another event. Counts nothing. */
  isFull(key: string): boolean {
    return this.#full.size > 0 && this.state(key).current >= this.#max;
  }

  /** How full the window is, counting nothing. */
  state(key: string): WindowState {
    const now = this.#clock();
    const window = this.#current(key, now);
    return window ? { current: window.current, ttl: window.endsAt - now } : { current: 0, ttl: 0 };
  }

  #current(key: string, now: number): Window | undefined {
    if (now >= this.#rotatesAt) this.#rotate(now);
    const open = this.#open.get(key);
    if (open && open.endsAt > now) return open;
    const full = this.#full.get(key);
    return full && full.endsAt > now ? full : undefined;
  }

  #count(key: string, current: Window | undefined, now: number): Window {
    const window = current ?? { current: 0, endsAt: now + this.#windowMs };
    window.current++;
    if (window.current === this.#max) {
      this.#open.delete(key);
      this.#full.set(key, window);
    } else if (current === undefined) {
      this.#open.set(key, window);
    }
    return window;
  }

  #rotate(now: number): void {
    this.#open.rotate();
    this.#full.rotate();
    this.#rotatesAt = now + this.#windowMs;
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

class Generations {
  #young = new Map<string, Window>();
  #old = new Map<string, Window>();

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** The newest window of a key; it may have ended. */
  get(key: string): Window | undefined {
    return this.#young.get(key) ?? (this.#old.size > 0 ? this.#old.get(key) : undefined);
  }

  set(key: string, window: Window): void {
    if (this.#young.size >= MAX_WINDOWS_PER_GENERATION) this.rotate();
    this.#young.set(key, window);
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  /** Takes one event back, and drops a window that is empty then. @returns whether there was one */
  takeBack(key: string): boolean {
    const generation = this.#young.has(key) ? this.#young : this.#old;
    const window = generation.get(key);
    if (window && --window.current <= 0) generation.delete(key);
    return window !== undefined;
  }

  rotate(): void {
    this.#old = this.#young;
    this.#young = new Map();
  }
}
