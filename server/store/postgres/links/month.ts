import { monthNumber } from '../../records/month-number.ts';

/** The calendar month (UTC) of a time, as in `account_links.months`. */
export function monthOf(time: number): string {
  return String(monthNumber(time));
}
