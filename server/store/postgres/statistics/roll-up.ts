import { dayNumber, hourNumber } from '../../../lib/durations.ts';
import type { History } from '../../statistics/history.ts';
import type { Database } from '../database/database.ts';
import type { Query } from '../database/statement.ts';
import { untilDone } from '../maintenance/until-done.ts';
import { type HistoryRow, sumOf, toColumns } from './history-row.ts';
import { keepVisitedLinks } from './visit-statistics.ts';

/** Subjects of one transaction, so that none takes long. */
const TOGETHER = 100;
/** Of a subject without visits, hours and days are summed up this late. */
const UNVISITED_DAYS = 30;

const DUE = `SELECT DISTINCT subject FROM (
      SELECT subject FROM visits WHERE due <= $1 ORDER BY due LIMIT ${TOGETHER}
    ) AS due`;
const TAKE = `DELETE FROM visits WHERE subject = ANY ($1) AND (due <= $2 OR day = -1)
    RETURNING subject, counts, tallies`;
/** It fails if another server has just added one. */
export const ADD_EARLIER_VISITS = `INSERT INTO visits (subject, day, due, last_visit, counts, tallies)
    SELECT subject, -1, due, last_visit, counts, tallies FROM ROWS FROM (
      unnest($1::text[], $2::integer[], $3::bigint[]), json_array_elements($4), json_array_elements($5)
    ) AS each (subject, due, last_visit, counts, tallies)`;

/**
 * Adds the visits of past days to those of all earlier days of their subjects, and sums these up, so that
 * the busiest link has a bounded number of rows.
 *
 * @param now milliseconds since the epoch
 * @param isClosed stops it when it returns true
 */
export async function rollUpVisits(
  database: Database,
  now: number,
  isClosed: () => boolean = () => false,
): Promise<void> {
  const today = dayNumber(now);
  await untilDone(isClosed, async () => {
    const due = await database.read<{ subject: string }>(DUE, [today]);
    const subjects = due.map(({ subject }) => subject);
    if (subjects.length > 0) {
      await database.transaction((query) => rollUpSubjects(query, subjects, now));
    }
    return subjects.length > 0;
  });
}

async function rollUpSubjects(query: Query, subjects: string[], now: number): Promise<void> {
  keepVisitedLinks(query);
  const today = dayNumber(now);
  const rows = await query<HistoryRow & { subject: string }>(TAKE, [subjects, today]);
  const bySubject = Map.groupBy(rows, ({ subject }) => subject);
  const histories = [...bySubject.values()].map((ofSubject) =>
    sumOf(ofSubject).rollUp(hourNumber(now)),
  );
  const due = histories.map((history) => (isFinal(history) ? null : today + UNVISITED_DAYS));
  void query(ADD_EARLIER_VISITS, [[...bySubject.keys()], due, ...toColumns(histories)]);
}

/** Only sums of months are kept for good. */
function isFinal({ hours, days, talliesOfDays, talliesOfMonths }: History): boolean {
  return [hours, days, talliesOfDays, talliesOfMonths].every(({ size }) => size === 0);
}
