import { foldTag } from '../../../../shared/text.ts';
import { dayNumber, hourNumber } from '../../../lib/time.ts';
import { untilDone } from '../../maintenance.ts';
import { splitKey } from '../../records.ts';
import {
  fromHistoryJson,
  History,
  type HistoryJson,
  LinksSum,
  toHistoryJson,
} from '../../statistics/history.ts';
import { subjectOf, sumUp, toLinkVisits, type Visits } from '../../statistics/link-visits.ts';
import { dayOfHour } from '../../statistics/series.ts';
import type { Store } from '../../store.ts';
import { addTo, type Statistics, type VisitsWithTag } from '../../visits.ts';
import type { Database } from '../database/database.ts';
import type { Query } from '../database/session.ts';
import { searchable } from '../rows.ts';

/** Of a lock of the database. A number that other programs hardly use. */
const VISITS_LOCK = 0x63_75_72_75;
/** Rows that are read and written at once, so that the event loop is not blocked for long. */
const TOGETHER = 200;

const ACCOUNTS_OF_LINKS = 'SELECT id, account_id FROM visible_links WHERE id = ANY ($1)';
/** Visits of a day may arrive on the next one. */
const ADD_ROWS = `INSERT INTO visits (subject, day, due, last_visit, counts, tallies)
    SELECT subject, day, day + 2, 0, '{}', '{}'
    FROM unnest($1::text[], $2::integer[]) AS each (subject, day)
    ON CONFLICT DO NOTHING`;
/** All servers lock rows in one order, so that none waits for another that waits for it. */
const LOCK_ROWS = `SELECT subject, day, counts, tallies
    FROM visits JOIN unnest($1::text[], $2::integer[]) AS each (subject, day) USING (subject, day)
    ORDER BY subject, day FOR UPDATE OF visits`;
const WRITE_ROWS = `UPDATE visits SET last_visit = each.last_visit, counts = each.counts, tallies = each.tallies
    FROM ROWS FROM (
      unnest($1::text[], $2::integer[], $3::bigint[]), json_array_elements($4), json_array_elements($5)
    ) AS each (subject, day, last_visit, counts, tallies)
    WHERE visits.subject = each.subject AND visits.day = each.day`;
const READ = 'SELECT counts, tallies FROM visits WHERE subject = $1';
const READ_WITH_TAG = `SELECT subject, day, counts, tallies FROM visits
    JOIN visible_links ON subject = 'link ' || visible_links.id
    WHERE account_id = $1 AND deleted_at IS NULL AND $2 = ANY (tags)
      AND (subject, day) > ($3, $4) ORDER BY subject, day LIMIT ${TOGETHER}`;
const READ_COUNTS = 'SELECT subject, counts FROM visits WHERE subject = ANY ($1)';
const READ_VISITED_ACCOUNTS = `SELECT subject, day, counts FROM visits
    WHERE subject > 'account ' AND subject < 'account!' AND (subject, day) > ($1, $2) AND last_visit >= $3
    ORDER BY subject, day LIMIT ${TOGETHER}`;
const ERASE = 'DELETE FROM visits WHERE subject = ANY ($1)';

/** What is added to a row. */
type Addition = { subject: string; day: number; visits: Visits[] };

type VisitStatistics = Pick<Store, 'addVisits' | 'readStatistics' | 'readVisitsPerDay'>;

/** Returns the statistics of all links and accounts. @param clock milliseconds since the epoch */
export function visitStatistics(database: Database, clock: () => number): VisitStatistics {
  return {
    addVisits: async (visits) => {
      if (visits.length === 0) return;
      const ids = [...new Set(visits.map(({ linkId }) => linkId))];
      await database.transaction(async (query) => {
        keepVisitedLinks(query);
        const links = await query<{ id: string; account_id: string }>(ACCOUNTS_OF_LINKS, [ids]);
        const accountOf = new Map(links.map(({ id, account_id }) => [id, account_id]));
        const additions = additionsOf(toLinkVisits(visits, (id) => accountOf.get(id)));
        for (let start = 0; start < additions.length; start += TOGETHER) {
          await addToRows(query, additions.slice(start, start + TOGETHER));
        }
      });
    },
    readStatistics: async (of) => {
      if ('tag' in of) return readWithTag(database, of, hourNumber(clock()));
      const rows = await database.read<HistoryRow>(READ, [subjectOf(of)]);
      return sumOf(rows).toStatistics(hourNumber(clock()));
    },
    readVisitsPerDay: async (linkIds, from) => {
      type Row = Pick<HistoryRow, 'counts'> & { subject: string };
      const subjects = linkIds.map((linkId) => subjectOf({ linkId }));
      const rows = await database.read<Row>(READ_COUNTS, [subjects]);
      const bySubject = Map.groupBy(rows, ({ subject }) => subject);
      return new Map(
        linkIds.flatMap((linkId): [string, Map<number, number>][] => {
          const ofLink = bySubject.get(subjectOf({ linkId }));
          if (!ofLink) return [];
          const history = sumOf(ofLink.map(({ counts }) => ({ counts, tallies: {} })));
          return [[linkId, history.peoplePerDay(hourNumber(from))]];
        }),
      );
    },
  };
}

async function readWithTag(
  database: Database,
  { accountId, tag }: VisitsWithTag,
  now: number,
): Promise<Statistics> {
  type Row = HistoryRow & { subject: string; day: number };
  const sum = new LinksSum();
  let last = { subject: '', day: 0 };
  for (;;) {
    const values = [accountId, searchable(foldTag(tag)), last.subject, last.day];
    const rows = await database.readList<Row>(READ_WITH_TAG, values);
    for (const row of rows) {
      const [, linkId] = splitKey(row.subject);
      sum.add(linkId, sumOf([row]));
      last = row;
    }
    if (rows.length < TOGETHER) return sum.toStatistics(now);
  }
}

/** Visits by people of all accounts by day (UTC). @param from milliseconds since the epoch */
export async function peopleOfAllPerDay(
  database: Database,
  from: number,
): Promise<Map<number, number>> {
  const perDay = new Map<number, number>();
  type Row = Pick<HistoryRow, 'counts'> & { subject: string; day: number };
  for (let last: [string, number] = ['', 0]; ; ) {
    const rows = await database.read<Row>(READ_VISITED_ACCOUNTS, [...last, from]);
    for (const { counts } of rows) {
      const history = sumOf([{ counts, tallies: {} }]);
      for (const [day, people] of history.peoplePerDay(hourNumber(from)))
        addTo(perDay, day, people);
    }
    const end = rows.at(-1);
    if (!end || rows.length < TOGETHER) return perDay;
    last = [end.subject, end.day];
  }
}

/**
 * Call at the start of a transaction that adds rows of visits, before it reads which links there
 * are: none of them is erased before it ends.
 */
function keepVisitedLinks(query: Query): void {
  void query(`SELECT pg_advisory_xact_lock_shared(${VISITS_LOCK})`);
}

/**
 * Erases the statistics of links that the transaction has erased before, or of an account, but not those of
 * its links. Waits for the transactions that add rows for links that they have found; later ones find that the
 * links are gone.
 *
 * @returns its statements, which were sent: the transaction may be committed without waiting for them
 */
export function eraseStatistics(query: Query, subjects: string[]): Promise<unknown>[] {
  return [query(`SELECT pg_advisory_xact_lock(${VISITS_LOCK})`), query(ERASE, [subjects])];
}

/** In the order in which rows are locked. */
function additionsOf(visits: Parameters<typeof sumUp>[0]): Addition[] {
  const byRow = Map.groupBy(sumUp(visits), ({ subject, hour }) => `${subject} ${dayOfHour(hour)}`);
  return [...byRow]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, [first, ...more]]) =>
      first ? { subject: first.subject, day: dayOfHour(first.hour), visits: [first, ...more] } : [],
    );
}

async function addToRows(query: Query, additions: Addition[]): Promise<void> {
  const keys = [additions.map(({ subject }) => subject), additions.map(({ day }) => day)];
  type Row = HistoryRow & { subject: string; day: number };
  let rows: Row[];
  do {
    void query(ADD_ROWS, keys);
    rows = await query<Row>(LOCK_ROWS, keys);
    // A roll-up may have taken one of them in between.
  } while (rows.length < additions.length);
  const known = new Map(rows.map((row) => [`${row.subject} ${row.day}`, row]));
  const histories = additions.map(({ subject, day, visits }) => {
    const row = known.get(`${subject} ${day}`);
    const history = row ? sumOf([row]) : new History();
    for (const { hour, counts, tallies } of visits) history.add(hour, counts, tallies);
    return history;
  });
  void query(WRITE_ROWS, [...keys, ...toColumns(histories)]);
}

type Tallies = 'talliesOfDays' | 'talliesOfMonths';

/** What is read of a row of `visits`. */
export type HistoryRow = {
  counts: Omit<HistoryJson, Tallies>;
  tallies: Pick<HistoryJson, Tallies>;
};

/** Returns the rows of one subject together. */
export function sumOf(rows: readonly HistoryRow[]): History {
  const sum = new History();
  for (const { counts, tallies } of rows)
    sum.addHistory(fromHistoryJson({ ...counts, ...tallies }));
  return sum;
}

/** Returns the columns `last_visit`, `counts` and `tallies` of rows, the last two as arrays in JSON. */
export function toColumns(
  histories: readonly History[],
): [lastVisits: number[], counts: string, tallies: string] {
  const all = histories.map(toHistoryJson);
  return [
    histories.map(({ lastVisit }) => lastVisit),
    JSON.stringify(all.map(({ hours, days, months }) => ({ hours, days, months }))),
    JSON.stringify(
      all.map(({ talliesOfDays, talliesOfMonths }) => ({ talliesOfDays, talliesOfMonths })),
    ),
  ];
}

/** Subjects of one transaction, so that none takes long. */
const ROLLED_UP_TOGETHER = 100;
/** How late hours and days of a subject without visits are summed up. */
const UNVISITED_DAYS = 30;

const DUE = `SELECT DISTINCT subject FROM (
      SELECT subject FROM visits WHERE due <= $1 ORDER BY due LIMIT ${ROLLED_UP_TOGETHER}
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
 * @param certain the time by which to decide what is too old for its precision: see `certainTime`
 * @param isClosed stops it when it returns true
 */
export async function rollUpVisits(
  database: Database,
  now: number,
  certain = now,
  isClosed: () => boolean = () => false,
): Promise<void> {
  const today = dayNumber(now);
  await untilDone(isClosed, async () => {
    const due = await database.read<{ subject: string }>(DUE, [today]);
    const subjects = due.map(({ subject }) => subject);
    if (subjects.length > 0) {
      await database.transaction((query) => rollUpSubjects(query, subjects, today, certain));
    }
    return subjects.length > 0;
  });
}

async function rollUpSubjects(
  query: Query,
  subjects: string[],
  today: number,
  certain: number,
): Promise<void> {
  keepVisitedLinks(query);
  const rows = await query<HistoryRow & { subject: string }>(TAKE, [subjects, today]);
  const bySubject = Map.groupBy(rows, ({ subject }) => subject);
  const histories = [...bySubject.values()].map((ofSubject) =>
    sumOf(ofSubject).rollUpUntil(dayNumber(certain)),
  );
  const due = histories.map((history) => (isFinal(history) ? null : today + UNVISITED_DAYS));
  void query(ADD_EARLIER_VISITS, [[...bySubject.keys()], due, ...toColumns(histories)]);
}

/** Only sums of months are kept for good. */
function isFinal({ hours, days, talliesOfDays, talliesOfMonths }: History): boolean {
  return [hours, days, talliesOfDays, talliesOfMonths].every(({ size }) => size === 0);
}
