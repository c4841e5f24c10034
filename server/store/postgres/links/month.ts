/** The calendar month (UTC) of a time, as in `account_links.months`: months since the year 0. */
export function monthOf(time: number): string {
  const date = new Date(time);
  return String(date.getUTCFullYear() * 12 + date.getUTCMonth());
}
