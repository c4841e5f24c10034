import { perLanguage } from './translate.ts';

const MINUTE_SECONDS = 60;

const dateFormat = formatOf({ dateStyle: 'long', timeStyle: 'short' });
const dayFormat = formatOf({ dateStyle: 'long' });
const utcDayFormat = formatOf({ dateStyle: 'long', timeZone: 'UTC' });
const shortDayFormat = formatOf({ dateStyle: 'medium' });
const dayOfYearFormat = formatOf({ month: 'short', day: 'numeric' });
const minutesFormat = unitFormatOf('minute');
const secondsFormat = unitFormatOf('second');

function formatOf(options: Intl.DateTimeFormatOptions) {
  return perLanguage((language) => new Intl.DateTimeFormat(language, options));
}

function unitFormatOf(unit: 'minute' | 'second') {
  return perLanguage((language) => new Intl.NumberFormat(language, { style: 'unit', unit }));
}

/** Formats a date with its time: `31 January 2030 at 12:00`. */
export function formatDate(iso: string | Date): string {
  return dateFormat().format(new Date(iso));
}

/** Formats a date without its time: `31 January 2030`. One that has no time is the same everywhere. */
export function formatDay(iso: string): string {
  const format = iso.includes('T') ? dayFormat : utcDayFormat;
  return format().format(new Date(iso));
}

/** Formats a date where there is little space: `31 Jan 2030`. */
export function formatShortDay(iso: string | Date): string {
  return shortDayFormat().format(new Date(iso));
}

/** Formats a date where there is hardly any space: `31 Jan`, with the year only if it is another one. */
export function formatTinyDay(iso: string, nowMs: number): string {
  const date = new Date(iso);
  const isThisYear = date.getFullYear() === new Date(nowMs).getFullYear();
  return isThisYear ? dayOfYearFormat().format(date) : formatShortDay(date);
}

/** Formats a length of time: `42 sec`, `5 min`. */
export function formatDuration(seconds: number): string {
  const isMinutes = seconds >= MINUTE_SECONDS && seconds % MINUTE_SECONDS === 0;
  return isMinutes
    ? minutesFormat().format(seconds / MINUTE_SECONDS)
    : secondsFormat().format(seconds);
}
