/** Start of the next calendar month (UTC), in milliseconds since the epoch. */
export function nextMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

export function secondsToNextMonth(now: number): number {
  return Math.ceil((nextMonth(now) - now) / 1000);
}
