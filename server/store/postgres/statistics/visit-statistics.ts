import { hourNumber } from '../../../lib/durations.ts';
import { History } from '../../statistics/history.ts';
import { subjectOf, sumUp, toLinkVisits, type Visits } from '../../statistics/link-visits.ts';
import { dayOfHour } from '../../statistics/retention.ts';
import type { Store } from '../../store.ts';
import type { Database } from '../database/database.ts';
import type { Query } from '../database/statement.ts';
import { type HistoryRow, sumOf, toColumns } from './history-row.ts';

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
const READ_COUNTS = 'SELECT subject, counts FROM visits WHERE subject = ANY ($1)';
const ERASE = 'DELETE FROM visits WHERE subject = ANY ($1)';

/** What is added to a row. */
type Addition = { subject: string; day: number; visits: Visits[] };

type VisitStatistics = Pick<Store, 'addVisits' | 'readStatistics' | 'readVisitsPerDay'>;

/** The statistics of all links and accounts. @param clock milliseconds since the epoch */
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

/**
 * To be called at the start of a transaction that adds rows of visits, before it reads which links there
 * are: none of them is erased before it ends.
 */
export function keepVisitedLinks(query: Query): void {
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
