import type { WindowState } from '../store/counters.ts';
import type { ClientAddress } from './client-ip.ts';

/** How many times the limit of a /64 a /48 and a /56 have: one household alone cannot reach that of its /48. */
const NETWORK_FACTORS = [30, 10];

/** One of those whom an event counts for, with the number of events that are allowed. */
export type LimitPart = { key: string; max: number };

/**
 * The key of an address: for IPv6, its /48, its /56 and its /64, such as
 * `30*2001:db8:1/48 10*2001:db8:1:200/56 1*2001:db8:1:2ff/64`.
 * An event counts for all parts of a key or, if the limit of one is reached, for none. A part's number is
 * how many times the limit it may reach. The last part is the narrowest. No part has a space.
 *
 * @param options.factor of the address itself; @default 1
 * @param options.scope has a limit of its own, such as a link
 * @see docs/api.md, "Limits"
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

/** The parts of a key under a limit of `max` events. */
export function partsOf(key: string, max: number): LimitPart[] {
  return key.split(' ').map((part) => ({ key: part, max: max * Number.parseInt(part, 10) }));
}

/** 0, or the milliseconds until no part has reached its limit. @param states of the parts, in their order */
export function waitMs(parts: readonly LimitPart[], states: readonly WindowState[]): number {
  const waits = states.map(({ current, ttl }, index) =>
    current >= (parts[index]?.max ?? 0) ? ttl : 0,
  );
  return Math.max(...waits);
}
