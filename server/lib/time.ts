/** @returns milliseconds since the epoch */
export type Clock = () => number;

/** All durations are in milliseconds. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Returns the number of a time's hour or day (UTC) since the epoch. */
export const hourNumber = (time: number) => Math.floor(time / HOUR_MS);
export const dayNumber = (time: number) => Math.floor(time / DAY_MS);
