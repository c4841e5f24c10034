import type { WindowState } from '../store/counters.ts';

export type WindowOptions = {
  /** Length of a window, which starts with its first event. */
  windowMs: number;
  /** Maximum number of events per window, at least 1. */
  max: number;
  /** Monotonic milliseconds: changes of the wall clock must not affect windows. */
  clock: () => number;
};

type Window = { current: number; endsAt: number };

/** Limits memory: a counter has at most four times as many windows. */
export const MAX_WINDOWS_PER_GENERATION = 32_768;

/**
 * Counts events per key in fixed windows. Everything is in memory only: no client address is written
 * to disk, and a restart resets all windows.
 *
 * Windows are stored in two generations of maps. A generation accepts new windows for `windowMs`, is
 * kept for another `windowMs`, and is then dropped as a whole, so expired windows are never searched
 * for. A flood of new keys shortens a generation, which may end windows early, but never full ones:
 * these have their own generations, and it takes `max` events per key to add to those.
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

  /** Counts an event, even above the limit. */
  add(key: string): WindowState {
    const now = this.#clock();
    const window = this.#count(key, this.#current(key, now), now);
    return { current: window.current, ttl: window.endsAt - now };
  }

  /** Uncounts an event, such as an attempt with the right password. */
  takeBack(key: string): void {
    if (!this.#open.takeBack(key)) this.#full.takeBack(key);
  }

  /** Whether the limit is reached. Counts nothing. */
  isFull(key: string): boolean {
    return this.#full.size > 0 && this.state(key).current >= this.#max;
  }

  /** The state of the window, without counting. */
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
}

class Generations {
  #young = new Map<string, Window>();
  #old = new Map<string, Window>();

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** The newest window of a key, possibly expired. */
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

  /** Uncounts an event and deletes the window if it is empty. @returns whether there was a window */
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
