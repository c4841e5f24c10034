import { DAY_MS, HOUR_MS } from '../../../lib/durations.ts';
import { History } from '../../statistics/history.ts';
import {
  dayOfHour,
  firstKept,
  fromCounts,
  monthOfDay,
  timeOfDay,
  timeOfHour,
  timeOfMonth,
} from '../../statistics/retention.ts';
import type { Series, TallySeries } from '../../statistics/series.ts';
import { addAll, type Tallies } from '../../statistics/tallies.ts';

/** A row of the table `visits`. */
export type VisitsRow = {
  subject: string;
  unit: 'h' | 'd' | 'm';
  start: number;
  people: number;
  unique_people: number;
  previews: number;
  bots: number;
};

/** A row of the table `visit_tallies`. */
export type TalliesRow = {
  subject: string;
  unit: 'o' | 'd' | 'n' | 'm';
  start: number;
  /** People by keys as in `Tallies`. */
  tallies: Record<string, number>;
};

/** Rows of one or several subjects. */
export type HistoryRows = { visits: VisitsRow[]; tallies: TalliesRow[] };

/**
 * The rows of a history that was rolled up.
 *
 * @param nowHour number of the hour in which it was
 */
export function toRows(subject: string, history: History, nowHour: number): HistoryRows {
  const { openDay, openMonth } = firstKept(dayOfHour(nowHour));
  const { hours, days, months, talliesOfDays, talliesOfMonths } = history;
  return {
    visits: [
      ...toVisitsRows(subject, hours, 'h', timeOfHour),
      ...toVisitsRows(subject, days, 'd', timeOfDay),
      ...toVisitsRows(subject, months, 'm', timeOfMonth),
    ],
    tallies: [
      ...toTalliesRows(subject, talliesOfDays, (day) => (day < openDay ? 'd' : 'o'), timeOfDay),
      ...toTalliesRows(
        subject,
        talliesOfMonths,
        (month) => (month < openMonth ? 'm' : 'n'),
        timeOfMonth,
      ),
    ],
  };
}

/** The histories of all subjects of the rows, not rolled up. */
export function fromRows({ visits, tallies }: HistoryRows): Map<string, History> {
  const histories = new Map<string, History>();
  const historyOf = (subject: string) => {
    const known = histories.get(subject) ?? new History();
    histories.set(subject, known);
    return known;
  };
  for (const { subject, unit, start, people, unique_people, previews, bots } of visits) {
    const { hours, days, months } = historyOf(subject);
    const [series, period] = {
      h: [hours, hourOf] as const,
      d: [days, dayOf] as const,
      m: [months, monthOf] as const,
    }[unit];
    series.add(period(start), [people, unique_people, previews, bots]);
  }
  for (const { subject, unit, start, tallies: people } of tallies) {
    const { talliesOfDays, talliesOfMonths } = historyOf(subject);
    if (unit === 'o' || unit === 'd') talliesOfDays.add(dayOf(start), Object.entries(people));
    else talliesOfMonths.add(monthOf(start), Object.entries(people));
  }
  return histories;
}

const hourOf = (time: number) => time / HOUR_MS;
const dayOf = (time: number) => time / DAY_MS;
const monthOf = (time: number) => monthOfDay(dayOf(time));

function toVisitsRows(
  subject: string,
  series: Series,
  unit: VisitsRow['unit'],
  timeOf: (period: number) => number,
): VisitsRow[] {
  return [...series].map(([period, counts]) => {
    const { people, uniquePeople, previews, bots } = fromCounts(counts);
    const start = timeOf(period);
    return { subject, unit, start, people, unique_people: uniquePeople, previews, bots };
  });
}

function toTalliesRows(
  subject: string,
  series: TallySeries,
  unitOf: (period: number) => TalliesRow['unit'],
  timeOf: (period: number) => number,
): TalliesRow[] {
  return [...series].map(([period, tallies]) => {
    return { subject, unit: unitOf(period), start: timeOf(period), tallies: toRecord(tallies) };
  });
}

function toRecord(tallies: Tallies): TalliesRow['tallies'] {
  const stored: Tallies = new Map();
  addAll(
    stored,
    [...tallies].map(([key, people]) => [storable(key), people]),
  );
  return Object.fromEntries(stored);
}

/** PostgreSQL refuses some characters; one made-up value must not stop the others of its batch. */
function storable(value: string): string {
  return value.toWellFormed().replaceAll('\0', '');
}
