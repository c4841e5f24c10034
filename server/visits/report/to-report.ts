import type { StatisticsReport } from '../../../shared/statistics.ts';
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts';
import {
  addTo,
  type Dimension,
  OTHER,
  type Statistics,
  type TalliesOfPeriod,
  type Tally,
  TOP_VALUES,
  VALUE_DAYS,
  VISITOR_DIMENSIONS,
  type VisitCounts,
  type VisitorDimension,
  type VisitsOfPeriod,
} from '../../store/visits.ts';
import type { Periods } from './periods.ts';
import { siteName } from './site-names.ts';

type Top = { key: string; people: number }[];

/**
 * The middle of an hour, day and month: a stored period belongs to the one that contains its middle. The
 * current hour belongs to the current period, also before its middle: where local hours begin at half past,
 * its middle is in a period that has not begun.
 */
const MIDDLE_MS = { hours: HOUR_MS / 2, days: DAY_MS / 2, months: 15 * DAY_MS };

/** Statistics as the API returns them. */
export function toReport(
  statistics: Statistics,
  periods: Periods,
  isRecording: boolean,
): StatisticsReport {
  const { unit, timeZone, starts, end } = periods;
  const [first = 0] = starts;
  const elapsed = Math.min(periods.now - first, first - periods.previous);
  const totals = noVisits();
  const previous = noVisits();
  const series = starts.map((start) => ({ start: new Date(start).toISOString(), ...noVisits() }));
  for (const kind of ['hours', 'days', 'months'] as const) {
    for (const visits of statistics[kind]) {
      const middle = Math.min(visits.start + MIDDLE_MS[kind], periods.now);
      const point = series[indexAt(middle, periods)];
      if (point) addCounts(point, visits);
      const isBefore = middle >= periods.previous && middle < periods.previous + elapsed;
      if (isBefore) addCounts(previous, visits);
    }
  }
  for (const point of series) addCounts(totals, point);
  return {
    from: new Date(first).toISOString(),
    to: new Date(end).toISOString(),
    unit,
    timeZone,
    isRecording,
    totals,
    previous,
    series,
    ...daysOfValues(periods),
    ...visitorsOf(talliesIn(statistics, periods)),
  };
}

/** Where people went who visited a link while it had rules. */
export function topTargets(statistics: Statistics, periods: Periods): Top {
  return topKeys(sumOf('targets', talliesIn(statistics, periods)));
}

/** The most visited links of an account, by their ids. */
export function topLinkIds(statistics: Statistics, periods: Periods): Top {
  const tally = sumOf('links', talliesIn(statistics, periods));
  return topKeys(tally).filter(({ key }) => key !== OTHER);
}

function noVisits(): VisitCounts {
  return { people: 0, uniquePeople: 0, previews: 0, bots: 0 };
}

function addCounts(sum: VisitCounts, visits: VisitCounts | VisitsOfPeriod): void {
  sum.people += visits.people;
  sum.uniquePeople += visits.uniquePeople;
  sum.previews += visits.previews;
  sum.bots += visits.bots;
}

/** @returns the last period that starts by then; -1 if the time is outside of all */
function indexAt(time: number, { starts, end }: Periods): number {
  if (time >= end) return -1;
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The whole days and months that `talliesIn` returns. */
function daysOfValues({ starts, end, now }: Periods): { valuesFrom: string; valuesTo: string } {
  const first = starts[0] ?? 0;
  const today = now - (now % DAY_MS);
  const toRange = (from: number, to: number) => ({
    valuesFrom: new Date(from).toISOString(),
    valuesTo: new Date(to).toISOString(),
  });
  if (isToday({ starts, end, now })) return toRange(today, today + DAY_MS);
  const dayFrom = Math.floor(first / DAY_MS) * DAY_MS;
  const dayTo = Math.ceil(end / DAY_MS) * DAY_MS;
  if (end - first < DAY_MS) return toRange(dayFrom, dayTo);
  const from = firstDay(first, first < today - (VALUE_DAYS - 1) * DAY_MS);
  return toRange(from, dayTo - MIDDLE_MS.days < end ? dayTo : dayTo - DAY_MS);
}

/** The start of the first day, or month, whose middle is in a range. */
function firstDay(first: number, isByMonth: boolean): number {
  if (!isByMonth) return Math.ceil((first - MIDDLE_MS.days) / DAY_MS) * DAY_MS;
  const date = new Date(first);
  const month = (offset: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset);
  return month(0) + MIDDLE_MS.months >= first ? month(0) : month(1);
}

function isToday({ starts, end, now }: Pick<Periods, 'starts' | 'end' | 'now'>): boolean {
  const first = starts[0] ?? 0;
  return end - first <= DAY_MS && first <= now && now < end;
}

/**
 * Whole days and months. Of the last 24 hours or less, those of today; of an earlier range shorter than a
 * day, those that it overlaps.
 */
function talliesIn(
  { talliesOfDays, talliesOfMonths }: Statistics,
  { starts, end, now }: Periods,
): TalliesOfPeriod[] {
  const first = starts[0] ?? 0;
  const isOfToday = isToday({ starts, end, now });
  const isShort = end - first < DAY_MS;
  const isIn = (start: number, middle: number, length: number) => {
    if (isOfToday) return start === now - (now % DAY_MS);
    if (isShort) return start < end && start + length > first;
    return first <= middle && middle < end;
  };
  return [
    ...talliesOfDays.filter(({ start }) => isIn(start, start + MIDDLE_MS.days, DAY_MS)),
    ...talliesOfMonths.filter(({ start }) => isIn(start, start + MIDDLE_MS.months, 0)),
  ];
}

function visitorsOf(all: TalliesOfPeriod[]): Record<VisitorDimension, Top> {
  const entries = VISITOR_DIMENSIONS.map((dimension) => [
    dimension,
    topKeys(sumOf(dimension, all, dimension === 'referrers' ? siteName : undefined)),
  ]);
  return Object.fromEntries(entries);
}

function sumOf(dimension: Dimension, all: TalliesOfPeriod[], nameOf = (key: string) => key): Tally {
  const sums: Tally = new Map();
  for (const { dimensions } of all) {
    for (const [key, people] of dimensions[dimension]) addTo(sums, nameOf(key), people);
  }
  return sums;
}

function topKeys(sums: Tally): Top {
  const sorted = [...sums].filter(([key]) => key !== OTHER).sort(byPeople);
  const rest = sorted.slice(TOP_VALUES).reduce((sum, [, people]) => sum + people, 0);
  const others = rest + (sums.get(OTHER) ?? 0);
  const top = sorted.slice(0, TOP_VALUES);
  if (others > 0) top.push([OTHER, others]);
  return top.sort(byPeople).map(([key, people]) => ({ key, people }));
}

function byPeople([keyA, a]: [string, number], [keyB, b]: [string, number]): number {
  return b - a || (keyA < keyB ? -1 : 1);
}
