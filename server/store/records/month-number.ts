/** The number of a time's calendar month (UTC), such as 24323 for November 2026. */
export function monthNumber(time: number): number {
  const date = new Date(time);
  return 12 * date.getUTCFullYear() + date.getUTCMonth() + 1;
}
