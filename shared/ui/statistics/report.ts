import type { Result } from '../../client.ts';
import type { FailureWithText } from '../../i18n/failure-text.ts';
import { formatNumber } from '../../i18n/plural.ts';
import { formatTag, type PlainKey, t } from '../../i18n/translate.ts';
import type {
  AccountStatistics,
  AccountStatisticsQuery,
  LinkStatistics,
  StatisticsReport,
} from '../../statistics.ts';

/** What the chart stacks, from below. */
export const SERIES = ['people', 'previews', 'bots'] as const;
export type SeriesName = (typeof SERIES)[number];

export type Counts = StatisticsReport['totals'];
export type Point = StatisticsReport['series'][number];

export const COUNT_LABELS: Record<keyof Counts, PlainKey> = {
  people: 'visits_people',
  uniquePeople: 'visits_unique_people',
  previews: 'visits_previews',
  bots: 'visits_bots',
};

/**
 * Formats visits, visitors and the numbers of further series: `Visits: 12, Visitors: 9, Bots: 3`.
 *
 * @param before visits in the period before, if they are known
 */
export function formatCounts(
  counts: Counts,
  series: readonly SeriesName[],
  before?: number,
): string {
  const numbers = countsOf(series).map((name) => [t(COUNT_LABELS[name]), counts[name]] as const);
  if (before !== undefined) numbers.push([t('previous_period'), before]);
  const parts = numbers.map(([name, count]) => t('visits_of_kind', name, formatNumber(count)));
  return new Intl.ListFormat(formatTag(), { type: 'unit', style: 'short' }).format(parts);
}

/** Returns the numbers that belong to some series. */
export function countsOf(series: readonly SeriesName[]): (keyof Counts)[] {
  return series.flatMap((name) => (name === 'people' ? ['people', 'uniquePeople'] : [name]));
}

/** Whether nobody and nothing visited. */
export function isEmpty({ people, previews, bots }: Counts): boolean {
  return people + previews + bots === 0;
}

/** Only an account has links, and only a link has targets. */
export type ShownReport = StatisticsReport & Partial<AccountStatistics & LinkStatistics>;
export type TopLink = AccountStatistics['topLinks'][number];

/** Where statistics come from: those of a link, or of an account. Never throws. */
export interface StatisticsSource {
  read(query: AccountStatisticsQuery): Promise<Result<ShownReport, FailureWithText>>;
  /** The tags of the account's links, the most used first. Absent for those of one link. */
  tags?(): Promise<string[]>;
}

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
