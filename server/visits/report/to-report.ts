import type { StatisticsReport } from '../../../shared/statistics.ts';
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts';
import {
  addTo,
  DIMENSIONS,
  type Dimension,
  OTHER,
  type Statistics,
  type TalliesOfPeriod,
  TOP_VALUES,
  type VisitCounts,
  type VisitsOfPeriod,
} from '../../store/visits.ts';
import type { Periods } from './periods.ts';

/** The middle of an hour, day and month: a stored period belongs to the one that contains its middle. */
const MIDDLE_MS = { hours: HOUR_MS / 2, days: DAY_MS / 2, months: 15 * DAY_MS };

/** Statistics as the API returns them. */
export function toReport(
  statistics: Statistics,
  periods: Periods,
  isRecording: boolean,
): StatisticsReport {
  const { unit, timeZone, starts, end } = periods;
  const series = starts.map((start) => ({ start: new Date(start).toISOString(), ...noVisits() }));
  for (const kind of ['hours', 'days', 'months'] as const) {
    for (const visits of statistics[kind]) {
      const point = series[indexAt(visits.start + MIDDLE_MS[kind], periods)];
      if (point) addCounts(point, visits);
    }
  }
  const totals = noVisits();
  for (const point of series) addCounts(totals, point);
  return {
    from: new Date(starts[0] ?? 0).toISOString(),
    to: new Date(end).toISOString(),
    unit,
    timeZone,
    isRecording,
    totals,
    series,
    ...topOf(talliesIn(statistics, periods)),
  };
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

/** Whole days and months. Of a range shorter than a day, those that it overlaps. */
function talliesIn(
  { talliesOfDays, talliesOfMonths }: Statistics,
  { starts, end }: Periods,
): TalliesOfPeriod[] {
  const first = starts[0] ?? 0;
  const isShort = end - first < DAY_MS;
  const isIn = (start: number, middle: number, length: number) =>
    isShort ? start < end && start + length > first : first <= middle && middle < end;
  return [
    ...talliesOfDays.filter(({ start }) => isIn(start, start + MIDDLE_MS.days, DAY_MS)),
    ...talliesOfMonths.filter(({ start }) => isIn(start, start + MIDDLE_MS.months, 0)),
  ];
}

function topOf(all: TalliesOfPeriod[]): Record<Dimension, { key: string; people: number }[]> {
  const entries = DIMENSIONS.map((dimension) => {
    const sums = new Map<string, number>();
    for (const { dimensions } of all) {
      for (const [key, people] of dimensions[dimension]) {
        addTo(sums, key, people);
      }
    }
    return [dimension, topKeys(sums)] as const;
  });
  return Object.fromEntries(entries) as Record<Dimension, { key: string; people: number }[]>;
}

function topKeys(sums: Map<string, number>): { key: string; people: number }[] {
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
