import { shownLanguage } from './translate.ts';

const MINUTE_SECONDS = 60;
/** From here on, `formatWait` returns a date. */
export const HOUR_SECONDS = 3600;

/** Formats a date with its time: `31 January 2030 at 12:00`. */
export function formatDate(iso: string | Date): string {
  return new Intl.DateTimeFormat(shownLanguage(), { dateStyle: 'long', timeStyle: 'short' }).format(
    new Date(iso),
  );
}

/** Formats a date without its time: `31 January 2030`. */
export function formatDay(iso: string): string {
  return new Intl.DateTimeFormat(shownLanguage(), { dateStyle: 'long' }).format(new Date(iso));
}

/** Formats the time of a day: `12:00`. */
export function formatTime(iso: string): string {
  return new Intl.DateTimeFormat(shownLanguage(), { timeStyle: 'short' }).format(new Date(iso));
}

/** Formats a wait: `in 42 seconds`, `in 5 minutes`, or the date at its end. */
export function formatWait(seconds: number, now = new Date()): string {
  const relative = new Intl.RelativeTimeFormat(shownLanguage());
  if (Math.ceil(seconds) < MINUTE_SECONDS)
    return relative.format(Math.max(1, Math.ceil(seconds)), 'second');
  if (seconds < 2 * MINUTE_SECONDS)
    return relative.format(Math.round(seconds / MINUTE_SECONDS), 'minute');
  if (seconds < HOUR_SECONDS) return relative.format(Math.ceil(seconds / MINUTE_SECONDS), 'minute');
  return formatDate(new Date(now.getTime() + seconds * 1000));
}

/** Like `formatWait`, but returns the day only after an hour or more: `1 Dec 2030`. */
export function formatReset(seconds: number, now = new Date()): string {
  if (seconds < HOUR_SECONDS) return formatWait(seconds, now);
  const end = new Date(now.getTime() + seconds * 1000);
  return new Intl.DateTimeFormat(shownLanguage(), { dateStyle: 'medium' }).format(end);
}
