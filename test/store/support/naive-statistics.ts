import {
  DIMENSIONS,
  type Dimension,
  type Statistics,
  type Tally,
  type VisitsOfHour,
} from '../../../server/store/visits.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Sums = Map<number, number[]>;
type TallySums = Map<number, Map<string, number>[]>;

const dayOf = (time: number) => Math.floor(time / DAY_MS) * DAY_MS;
const monthOf = (time: number) => {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
};

/** What the statistics of these visits must be at a time, computed from scratch. */
export function naiveStatistics(
  visits: VisitsOfHour[],
  now: number,
  subject: 'link' | 'account',
): Statistics {
  const latest = visits.reduce((day, { hour }) => Math.max(day, dayOf(hour)), dayOf(now));
  const firstOf = (days: number) => latest - (days - 1) * DAY_MS;
  const [hours, days, months]: [Sums, Sums, Sums] = [new Map(), new Map(), new Map()];
  const ofDay: TallySums = new Map();
  for (const visit of visits) {
    const day = dayOf(visit.hour);
    const counts = [visit.people, visit.uniquePeople, visit.previews, visit.bots];
    if (day >= firstOf(90)) add(hours, visit.hour, counts);
    else if (day >= firstOf(400)) add(days, day, counts);
    else add(months, monthOf(day), counts);
    addTallies(ofDay, day, visit, subject);
  }
  const [talliesOfDays, talliesOfMonths]: [TallySums, TallySums] = [new Map(), new Map()];
  const now25 = new Date(latest);
  const firstMonth = Date.UTC(now25.getUTCFullYear(), now25.getUTCMonth() - 24);
  for (const [day, tallies] of ofDay) {
    const top = tallies.map(topOf);
    if (day >= firstOf(35)) talliesOfDays.set(day, top);
    else if (monthOf(day) >= firstMonth) merge(talliesOfMonths, monthOf(day), top);
  }
  return {
    hours: toSeries(hours),
    days: toSeries(days),
    months: toSeries(months),
    talliesOfDays: toTallySeries(talliesOfDays),
    talliesOfMonths: toTallySeries(talliesOfMonths),
  };
}

function add(sums: Sums, start: number, counts: number[]): void {
  const sum = sums.get(start) ?? [0, 0, 0, 0];
  sums.set(
    start,
    sum.map((count, index) => count + (counts[index] ?? 0)),
  );
}

function addTallies(
  sums: TallySums,
  start: number,
  { tallies: given, linkId, people }: VisitsOfHour,
  subject: 'link' | 'account',
): void {
  const links = new Map(subject === 'account' && people > 0 ? [[linkId, people]] : []);
  const tallies = DIMENSIONS.map((name, index) => {
    if (name === 'links') return links;
    // Those of an account's links would take the room of everything else.
    if (name === 'targets' && subject === 'account') return new Map();
    const ofName = [...given].filter(([key]) => key.startsWith(`${index}`));
    return new Map(ofName.map(([key, people]) => [key.slice(1), people]));
  });
  if (tallies.some(({ size }) => size > 0)) merge(sums, start, tallies);
}

function merge(sums: TallySums, start: number, tallies: Map<string, number>[]): void {
  const sum = sums.get(start) ?? DIMENSIONS.map(() => new Map<string, number>());
  for (const [index, tally] of tallies.entries()) {
    for (const [key, people] of tally) {
      sum[index]?.set(key, (sum[index]?.get(key) ?? 0) + people);
    }
  }
  sums.set(start, sum);
}

/** The 24 most frequent values, and the rest as `other`. */
function topOf(tally: Map<string, number>): Map<string, number> {
  const named = [...tally]
    .filter(([key]) => key !== 'other')
    .sort(([keyA, a], [keyB, b]) => b - a || (keyA < keyB ? -1 : 1));
  const top = new Map(named.slice(0, 24));
  const rest = named.slice(24).reduce((sum, [, people]) => sum + people, tally.get('other') ?? 0);
  if (rest > 0) top.set('other', rest);
  return top;
}

function toSeries(sums: Sums) {
  return [...sums]
    .sort(([a], [b]) => a - b)
    .map(([start, [people = 0, uniquePeople = 0, previews = 0, bots = 0]]) => {
      return { start, people, uniquePeople, previews, bots };
    });
}

function toTallySeries(sums: TallySums) {
  return [...sums]
    .sort(([a], [b]) => a - b)
    .map(([start, tallies]) => ({
      start,
      dimensions: Object.fromEntries(
        DIMENSIONS.map((name, index) => [name, topOf(tallies[index] ?? new Map())]),
      ) as Record<Dimension, Tally>,
    }));
}
