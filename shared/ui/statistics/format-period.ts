import { formatTag } from '../../i18n/translate.ts';
import type { StatisticsReport } from '../../statistics.ts';

type ReportTimes = Pick<StatisticsReport, 'from' | 'to' | 'unit' | 'timeZone'>;
type Formats = Record<StatisticsReport['unit'], Intl.DateTimeFormatOptions>;

const FULL: Formats = {
  hour: { dateStyle: 'medium', timeStyle: 'short' },
  day: { dateStyle: 'full' },
  month: { month: 'long', year: 'numeric' },
};
const SHORT: Formats = {
  hour: { hour: 'numeric', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: '2-digit' },
};

/** Formats the start of a period in the time zone of its report: `Friday, January 31, 2030`. */
export function formatPeriod(start: string, report: ReportTimes): string {
  return formatter(FULL, report).format(new Date(start));
}

/** Formats the start of a period for the axis: `Jan 31`. */
export function formatTick(start: string, report: ReportTimes): string {
  return formatter(SHORT, report).format(new Date(start));
}

/** Formats the whole range, with its last period: `Jan 1 – 31, 2030`. */
export function formatRange(report: ReportTimes): string {
  const { unit, timeZone, from, to } = report;
  const options = unit === 'hour' ? FULL.hour : ({ dateStyle: 'medium' } as const);
  const format = new Intl.DateTimeFormat(formatTag(), { ...options, timeZone });
  // The end of the last day is the start of the next one.
  return format.formatRange(new Date(from), new Date(Date.parse(to) - (unit === 'hour' ? 0 : 1)));
}

/** Formats whole days in UTC: `Jan 1 – 31, 2030`. */
export function formatDays(from: string, to: string): string {
  const format = new Intl.DateTimeFormat(formatTag(), { dateStyle: 'medium', timeZone: 'UTC' });
  return format.formatRange(new Date(from), new Date(Date.parse(to) - 1));
}

function formatter(formats: Formats, { unit, timeZone }: ReportTimes): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(formatTag(), { ...formats[unit], timeZone });
}
