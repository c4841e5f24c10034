import type { StatisticsReport } from '../../../shared/statistics.ts';
import { isInternalHost } from '../../lib/host-name.ts';
import { DAY_MS, HOUR_MS } from '../../lib/time.ts';
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
import appNames from './app-names.json' with { type: 'json' };
import type { Periods } from './periods.ts';
import siteNames from './site-names.json' with { type: 'json' };

/**
 * Hosts of search engines, social networks and AI assistants, with `{}` for any top-level domain.
 *
 * Source: https://github.com/matomo-org/searchengine-and-social-list (CC0 1.0), version of 2026-07-15,
 * without the search pages of other sites. It has few mail programs and chats, nor their Android apps, which are sent
 * by package name (`android-app://com.google.android.gm/`).
 */
const NAMES = new Map(
  [...Object.entries(siteNames), ...Object.entries(appNames)].flatMap(([name, hosts]) =>
    hosts.map((host): [string, string] => [host, name]),
  ),
);
/** `com`, `de`, `co.uk`, `com.br` */
const TOP_LEVEL_DOMAIN = /\.(?:com?\.)?[a-z]+$/;

/**
 * Returns the name of a site that everybody knows by it, such as `Google` for `news.google.de`; otherwise the host.
 *
 * @param host in lower case, without `www.`
 */
export function siteName(host: string): string {
  for (let rest = host; rest.includes('.'); rest = rest.slice(rest.indexOf('.') + 1)) {
    const name = NAMES.get(rest) ?? NAMES.get(rest.replace(TOP_LEVEL_DOMAIN, '.{}'));
    if (name !== undefined) return name;
  }
  return host;
}

/**
 * Returns the same for everybody who reads public statistics: they learn no hosts of networks that they are not in.
 *
 * @param host as for `siteName`, or `direct`
 */
export function publicSiteName(host: string): string {
  return host === 'direct' || !isInternalHost(host) ? siteName(host) : OTHER;
}

type Top = { key: string; people: number }[];

/** The middle of an hour, day and month. */
const MIDDLE_MS = { hours: HOUR_MS / 2, days: DAY_MS / 2, months: 15 * DAY_MS };

/**
 * Returns the time by which a stored period belongs to one of the report: its middle. A current one belongs to
 * the current one, also before its middle, which is in a period that has not begun where local hours begin at half
 * past, and after the end of a local day east of UTC.
 */
function countedAt(start: number, kind: keyof typeof MIDDLE_MS, now: number): number {
  return Math.min(start + MIDDLE_MS[kind], now);
}

/**
 * Statistics as the API returns them.
 *
 * @param nameOf host of a referrer
 */
export function toReport(
  statistics: Statistics,
  periods: Periods,
  isRecording: boolean,
  nameOf = siteName,
): StatisticsReport {
  const { unit, timeZone, starts, end } = periods;
  const [first = 0] = starts;
  const elapsed = Math.min(periods.now - first, first - periods.previous);
  const totals = noVisits();
  const previous = noVisits();
  const series = starts.map((start) => ({ start: new Date(start).toISOString(), ...noVisits() }));
  for (const kind of ['hours', 'days', 'months'] as const) {
    for (const visits of statistics[kind]) {
      const time = countedAt(visits.start, kind, periods.now);
      const point = series[indexAt(time, periods)];
      if (point) addCounts(point, visits);
      const isBefore = time >= periods.previous && time < periods.previous + elapsed;
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
    ...visitorsOf(talliesIn(statistics, periods), nameOf),
  };
}

/**
 * Returns where people went who visited a link while it had rules.
 *
 * @param names of the targets that it has now: they are listed, too, if nobody went there
 */
export function topTargets(statistics: Statistics, periods: Periods, names: string[]): Top {
  const top = topKeys(sumOf('targets', talliesIn(statistics, periods)));
  const unvisited = names.filter((name) => !top.some(({ key }) => key === name));
  return [...top, ...unvisited.map((key) => ({ key, people: 0 }))];
}

/** Returns the most visited links of an account, by their ids, and `OTHER` for the rest. */
export function topLinkIds(statistics: Statistics, periods: Periods): Top {
  return topKeys(sumOf('links', talliesIn(statistics, periods)));
}

export function peopleOf(top: readonly { people: number }[]): number {
  return top.reduce((sum, { people }) => sum + people, 0);
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
  const to = dayTo - MIDDLE_MS.days < end ? dayTo : dayTo - DAY_MS;
  return toRange(from, now < end ? Math.max(to, today + DAY_MS) : to);
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
  const isIn = (start: number, kind: 'days' | 'months', length: number) => {
    if (isOfToday) return start === now - (now % DAY_MS);
    if (isShort) return start < end && start + length > first;
    const time = countedAt(start, kind, now);
    return first <= time && time < end;
  };
  return [
    ...talliesOfDays.filter(({ start }) => isIn(start, 'days', DAY_MS)),
    ...talliesOfMonths.filter(({ start }) => isIn(start, 'months', 0)),
  ];
}

function visitorsOf(
  all: TalliesOfPeriod[],
  nameOf: (host: string) => string,
): Record<VisitorDimension, Top> {
  const entries = VISITOR_DIMENSIONS.map((dimension) => [
    dimension,
    topKeys(sumOf(dimension, all, dimension === 'referrers' ? nameOf : undefined)),
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
