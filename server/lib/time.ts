/** @returns milliseconds since the epoch */
export type Clock = () => number;

/** All durations are in milliseconds. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Returns the number of a time's hour or day (UTC) since the epoch. */
export const hourNumber = (time: number) => Math.floor(time / HOUR_MS);
export const dayNumber = (time: number) => Math.floor(time / DAY_MS);

/** Upper bounds of the buckets; the last bucket has none. */
export const DURATION_BOUNDS_MS = [
  ...[0.5, 1, 2.5, 5, 10, 25, 50, 100],
  ...[250, 500, 1000, 2500, 5000, 10_000],
] as const;

/** Counts durations in buckets. Counting one is two additions, so it can be used on hot paths. */
export class DurationHistogram {
  /** Durations per bucket, not cumulative; one more than there are bounds. */
  readonly counts: number[] = Array(DURATION_BOUNDS_MS.length + 1).fill(0);
  sumMs = 0;

  record(ms: number): void {
    let bucket = 0;
    while (bucket < DURATION_BOUNDS_MS.length && ms > (DURATION_BOUNDS_MS[bucket] as number)) {
      bucket++;
    }
    this.counts[bucket] = (this.counts[bucket] as number) + 1;
    this.sumMs += ms;
  }
}

/**
 * @param counts per bucket
 * @returns the upper bound of the bucket with the quantile in milliseconds, or the highest bound if it
 * has none; undefined if nothing was counted
 */
export function quantileMs(counts: readonly number[], quantile: number): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  let seen = 0;
  const bucket = counts.findIndex((count) => {
    seen += count;
    return seen >= quantile * total;
  });
  return DURATION_BOUNDS_MS[bucket] ?? DURATION_BOUNDS_MS.at(-1);
}
