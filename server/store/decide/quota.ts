/** A quota of an account, and how much of it is used. */
export type Quota = { used: number; max: number };

/** What costs nothing is possible even if the quota is used up. */
export function hasRoom({ used, max }: Quota, cost: number): boolean {
  return cost === 0 || used + cost <= max;
}
