import { FifoMap } from 'toad-cache';
import type { WindowState } from '../store/counters.ts';
import type { Awaitable } from '../store/store.ts';
import type { ClientAddress } from './client-address.ts';
import type { LimitOptions } from './limit-table.ts';

export type OnState = (error: Error | null, state?: WindowState) => void;

/** Counts the events of one limit, as @fastify/rate-limit asks for it. */
export interface LimitCounter {
  /** Counts up to the limit, and then answers `max + 1`, so that a rejected event counts for nobody. */
  incr(key: string, done: OnState): void;
  /** The state of the last part of a key, or a full one if the limit of any part is reached. */
  read(key: string, done: OnState): void;
  /** Uncounts an event, such as an attempt with the right password. */
  takeBack(key: string): Awaitable<void>;
}

/** How many times the limit of a /64 a /48 and a /56 have: one household alone cannot reach that of its /48. */
const NETWORK_FACTORS = [30, 10];

/** One of those whom an event counts for, with the number of events that are allowed. */
export type LimitPart = { key: string; max: number };

/**
 * Returns the key of an address: for IPv6, its /48, its /56 and its /64, such as `30*2001:db8:1/48
 * 10*2001:db8:1:200/56 1*2001:db8:1:2ff/64`. An event counts for all parts of a key or, if the limit of one is
 * reached, for none. A part's number is how many times the limit it may reach. The last part is the narrowest. No
 * part has a space.
 *
 * @param options.factor of the address itself; @default 1
 * @param options.scope has a limit of its own, such as a link
 * @see docs/settings.md, "Limits"
 */
export function addressKey(
  { client, networks }: ClientAddress,
  { factor = 1, scope = '' }: { factor?: number; scope?: string } = {},
): string {
  let key = '';
  networks.forEach((network, index) => {
    key += `${factor * (NETWORK_FACTORS[index] ?? 1)}*${scope}${network} `;
  });
  return `${key}${factor}*${scope}${client}`;
}

/** Returns the parts of a key under a limit of `max` events. */
export function partsOf(key: string, max: number): LimitPart[] {
  return key.split(' ').map((part) => ({ key: part, max: max * Number.parseInt(part, 10) }));
}

/** Returns 0, or the milliseconds until no part has reached its limit. @param states of the parts, in their order */
export function waitMs(parts: readonly LimitPart[], states: readonly WindowState[]): number {
  const waits = states.map(({ current, ttl }, index) =>
    current >= (parts[index]?.max ?? 0) ? ttl : 0,
  );
  return Math.max(...waits);
}

type Window = { current: number; endsAt: number };

/** Limits memory: a store has at most twice as many windows. */
const MAX_WINDOWS = 65_536;

/**
 * Counts a limit's events in memory, in windows that start with their first event. No client address is
 * written to disk, and a restart resets all windows.
 *
 * A flood of new keys ends the oldest windows early, but never full ones: these are kept apart, and it
 * takes `max` events per key to add to them.
 */
export class MemoryCounter implements LimitCounter {
  readonly limit: LimitOptions;
  readonly #clock: () => number;
  readonly #open: FifoMap<Window>;
  readonly #full: FifoMap<Window>;

  /** @param clock monotonic milliseconds: changes of the wall clock must not affect windows */
  constructor(limit: LimitOptions, clock: () => number, maxWindows = MAX_WINDOWS) {
    this.limit = limit;
    this.#clock = clock;
    this.#open = new FifoMap(maxWindows);
    this.#full = new FifoMap(maxWindows);
  }

  incr(key: string, done: OnState): void {
    const now = this.#clock();
    const parts = this.parts(key);
    const ttl = this.#waitMs(parts, now);
    if (ttl > 0) done(null, { current: this.limit.max + 1, ttl });
    else done(null, parts.map((part) => this.#add(part, now)).at(-1));
  }

  /**
   * Counts an event that is to be kept or taken back.
   *
   * @returns 0, or the milliseconds until the next one is allowed; then it is not counted
   */
  reserve(key: string): number {
    let waitMs = 0;
    this.incr(key, (_error, state) => {
      if (state && state.current > this.limit.max) waitMs = state.ttl;
    });
    return waitMs;
  }

  /**
   * Counts an amount, unless the limit is reached before.
   *
   * @returns 0, or the milliseconds until more is allowed
   */
  count(key: string, amount: number): number {
    const now = this.#clock();
    const parts = this.parts(key);
    const ttl = this.#waitMs(parts, now);
    if (ttl === 0) for (const part of parts) this.#add(part, now, amount);
    return ttl;
  }

  read(key: string, done: OnState): void {
    const now = this.#clock();
    const parts = this.parts(key);
    const ttl = this.#waitMs(parts, now);
    if (ttl > 0) done(null, { current: this.limit.max, ttl });
    else done(null, toState(this.#find(parts.at(-1)?.key, now), now));
  }

  takeBack(key: string): void {
    const now = this.#clock();
    for (const part of this.parts(key)) {
      const window = this.#find(part.key, now);
      if (window && --window.current <= 0) this.#delete(part.key);
    }
  }

  keep(_key: string): void {}

  /** Returns 0, or the milliseconds until more is allowed. Counts nothing. */
  waitMs(key: string): number {
    const now = this.#clock();
    evictExpired(this.#full, now);
    return this.#waitMs(this.parts(key), now);
  }

  /** Whether the limit is reached. Counts nothing. */
  isReached(key: string): boolean {
    return this.waitMs(key) > 0;
  }

  /** Whether the limit is reached for anybody. */
  get hasFull(): boolean {
    return this.#full.size > 0;
  }

  /** Other servers have counted so many events that the limit is reached. */
  protected fill(key: string, ttl: number): void {
    this.#open.delete(key);
    // Nothing that is taken back here makes room.
    this.#full.set(key, { current: Number.POSITIVE_INFINITY, endsAt: this.#clock() + ttl });
  }

  protected parts(key: string): LimitPart[] {
    return partsOf(key, this.limit.max);
  }

  /** 0, or the milliseconds until the next event is allowed. */
  #waitMs(parts: LimitPart[], now: number): number {
    if (this.#full.size === 0) return 0;
    return waitMs(
      parts,
      parts.map(({ key }) => toState(this.#find(key, now), now)),
    );
  }

  #find(key: string | undefined, now: number): Window | undefined {
    const window = this.#open.get(key) ?? this.#full.get(key);
    return window && window.endsAt > now ? window : undefined;
  }

  #add({ key, max }: LimitPart, now: number, amount = 1): WindowState {
    let window = this.#find(key, now);
    if (!window) {
      this.#delete(key);
      evictExpired(this.#open, now);
      window = { current: 0, endsAt: now + this.limit.windowMs };
      this.#open.set(key, window);
    }
    window.current += amount;
    if (window.current >= max) {
      this.#open.delete(key);
      this.#full.set(key, window);
    }
    return toState(window, now);
  }

  #delete(key: string): void {
    this.#open.delete(key);
    this.#full.delete(key);
  }
}

function toState(window: Window | undefined, now: number): WindowState {
  return window ? { current: window.current, ttl: window.endsAt - now } : { current: 0, ttl: 0 };
}

/** The oldest ones, and more than are added, but few at a time. */
function evictExpired(windows: FifoMap<Window>, now: number): void {
  for (let count = 0; count < 2 && windows.first?.value.endsAt <= now; count++) windows.evict();
}
