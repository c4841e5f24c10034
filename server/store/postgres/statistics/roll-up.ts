import { HOUR_MS } from '../../../lib/durations.ts';
import {
  dayOfHour,
  firstKept,
  timeOfDay,
  timeOfHour,
  timeOfMonth,
} from '../../statistics/retention.ts';
import type { Database } from '../database/database.ts';
import type { Query, Statement } from '../database/statement.ts';
import { fromRows, type TalliesRow, toRows, type VisitsRow } from './history-rows.ts';
import { keepVisitedLinks } from './visit-locks.ts';
import { addRows } from './write-rows.ts';

/** Rows for which subjects are looked up at once, so that no transaction takes long. */
const ROWS_AT_ONCE = 100;

const DUE_VISITS = `(unit = 'h' AND start < $1 OR unit = 'd' AND start < $2)`;
const DUE_TALLIES = `(unit = 'o' AND start < $1 OR unit = 'd' AND start < $2
  OR unit = 'n' AND start < $3 OR unit = 'm' AND start < $4)`;

const VISITED_SUBJECTS: Statement = {
  name: 'subjects_of_due_visits',
  text: `${oldest('visits', 'h', 1)} UNION ${oldest('visits', 'd', 2)}`,
};
const TALLIED_SUBJECTS: Statement = {
  name: 'subjects_of_due_tallies',
  text: `${oldest('visit_tallies', 'o', 1)} UNION ${oldest('visit_tallies', 'd', 2)}
    UNION ${oldest('visit_tallies', 'n', 3)} UNION ${oldest('visit_tallies', 'm', 4)}`,
};
const TAKE_VISITS: Statement = {
  name: 'take_due_visits',
  text: `DELETE FROM visits WHERE ${DUE_VISITS} AND subject = ANY ($3) RETURNING *`,
};
const TAKE_TALLIES: Statement = {
  name: 'take_due_tallies',
  text: `DELETE FROM visit_tallies WHERE ${DUE_TALLIES} AND subject = ANY ($5) RETURNING *`,
};

/** Before these times, what `visits` and `visit_tallies` have in a unit is too old for it. */
type FirstTimes = { visits: number[]; tallies: number[] };

/**
 * Sums up the visits of all links and accounts that are too old for their precision, so that the busiest
 * link has a bounded number of rows.
 *
 * @param now milliseconds since the epoch
 * @param isClosed stops it when it returns true
 */
export async function rollUpVisits(
  database: Database,
  now: number,
  isClosed: () => boolean = () => false,
): Promise<void> {
  const nowHour = Math.floor(now / HOUR_MS);
  const first = firstTimes(nowHour);
  while (!isClosed()) {
    const subjects = await dueSubjects(database, first);
    if (subjects.length === 0) return;
    await database.transaction((query) => rollUpSubjects(query, subjects, first, nowHour));
  }
}

async function dueSubjects(database: Database, first: FirstTimes): Promise<string[]> {
  const visited = await database.read<{ subject: string }>(VISITED_SUBJECTS, first.visits);
  const tallied = await database.read<{ subject: string }>(TALLIED_SUBJECTS, first.tallies);
  return [...new Set([...visited, ...tallied].map(({ subject }) => subject))];
}

async function rollUpSubjects(
  query: Query,
  subjects: string[],
  first: FirstTimes,
  nowHour: number,
): Promise<void> {
  await keepVisitedLinks(query);
  const visits = await query<VisitsRow>(TAKE_VISITS, [...first.visits, subjects]);
  const tallies = await query<TalliesRow>(TAKE_TALLIES, [...first.tallies, subjects]);
  const rows = [...fromRows({ visits, tallies })].map(([subject, history]) =>
    toRows(subject, history.rollUp(nowHour), nowHour),
  );
  await addRows(query, {
    visits: rows.flatMap((each) => each.visits),
    tallies: rows.flatMap((each) => each.tallies),
  });
}

/** By the index of units and times: if nothing is due, no row is read. */
function oldest(table: string, unit: string, parameter: number): string {
  return `(SELECT subject FROM ${table} WHERE unit = '${unit}' AND start < $${parameter}
    ORDER BY start LIMIT ${ROWS_AT_ONCE})`;
}

function firstTimes(nowHour: number): FirstTimes {
  const first = firstKept(dayOfHour(nowHour));
  return {
    visits: [timeOfHour(first.hour), timeOfDay(first.day)],
    tallies: [
      timeOfDay(first.openDay),
      timeOfDay(first.talliesOfDay),
      timeOfMonth(first.openMonth),
      timeOfMonth(first.talliesOfMonth),
    ],
  };
}
