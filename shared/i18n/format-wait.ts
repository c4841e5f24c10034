import { formatDate, formatShortDay } from './format-time.ts';
import { perLanguage } from './translate.ts';

const MINUTE_SECONDS = 60;
/** From here on, `formatWait` returns a date. */
export const HOUR_SECONDS = 3600;

const relativeFormat = perLanguage((language) => new Intl.RelativeTimeFormat(language));

/** Formats a wait: `in 42 seconds`, `in 5 minutes`, or the date at its end. */
export function formatWait(seconds: number, now = new Date()): string {
  if (seconds < HOUR_SECONDS) {
    return formatShortWait(relativeFormat(), seconds);
  }
  return formatDate(new Date(now.getTime() + seconds * 1000));
}

/** Formats a wait of up to an hour in the formatter's language: `in 42 seconds`, `in 5 minutes`. */
export function formatShortWait(relative: Intl.RelativeTimeFormat, seconds: number): string {
  if (Math.ceil(seconds) < MINUTE_SECONDS)
    return relative.format(Math.max(1, Math.ceil(seconds)), 'second');
  const minutes = seconds / MINUTE_SECONDS;
  return relative.format(minutes < 2 ? Math.round(minutes) : Math.ceil(minutes), 'minute');
}

/** Works like `formatWait`, but returns the day only after an hour or more: `1 Dec 2030`. */
export function formatReset(seconds: number, now = new Date()): string {
  if (seconds < HOUR_SECONDS) return formatWait(seconds, now);
  return formatShortDay(new Date(now.getTime() + seconds * 1000));
}
