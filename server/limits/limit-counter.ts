import type { WindowState } from '../store/counters.ts';
import type { Awaitable } from '../store/store.ts';
import type { ClientAddress } from './client-address.ts';

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
