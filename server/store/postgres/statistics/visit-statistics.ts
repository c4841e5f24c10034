import { DAY_MS, HOUR_MS } from '../../../lib/durations.ts';
import { History } from '../../statistics/history.ts';
import { toCounts } from '../../statistics/retention.ts';
import { linkTallies, tallyKey } from '../../statistics/tallies.ts';
import {
  type Statistics,
  VISITOR_DIMENSIONS,
  type VisitsOfHour,
  type VisitsPerDay,
} from '../../visits.ts';
import type { Database } from '../database/database.ts';
import type { Query, Statement } from '../database/statement.ts';
import {
  fromRows,
  type HistoryRows,
  type TalliesRow,
  toRows,
  type VisitsRow,
} from './history-rows.ts';
import { keepVisitedLinks, waitForAddedVisits } from './visit-locks.ts';
import { addRows } from './write-rows.ts';

const ACCOUNTS_OF_LINKS: Statement = {
  name: 'accounts_of_links',
  text: 'SELECT id, account_id FROM visible_links WHERE id = ANY ($1)',
};
const READ_VISITS: Statement = {
  name: 'read_visits',
  text: 'SELECT * FROM visits WHERE subject = $1',
};
const READ_TALLIES: Statement = {
  name: 'read_visit_tallies',
  text: 'SELECT * FROM visit_tallies WHERE subject = $1',
};
const READ_PER_DAY: Statement = {
  name: 'read_visits_per_day',
  text: `SELECT subject, start - start % ${DAY_MS} AS day, sum(people)::bigint AS people
    FROM visits WHERE subject = ANY ($1) AND unit = 'h' AND start >= $2 AND people > 0
    GROUP BY 1, 2`,
};
const ERASE_VISITS: Statement = {
  name: 'erase_visits',
  text: 'DELETE FROM visits WHERE subject = ANY ($1)',
};
const ERASE_TALLIES: Statement = {
  name: 'erase_visit_tallies',
  text: 'DELETE FROM visit_tallies WHERE subject = ANY ($1)',
};

/** The statistics of all links and accounts. */
export class VisitStatistics {
  readonly #database: Database;
  readonly #clock: () => number;

  /** @param clock milliseconds since the epoch */
  constructor(database: Database, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
  }

  /** See `Store.addVisits`. */
  async add(visits: VisitsOfHour[]): Promise<void> {
    if (visits.length === 0) return;
    const ids = [...new Set(visits.map(({ linkId }) => linkId))];
    const nowHour = hourOf(this.#clock());
    await this.#database.transaction(async (query) => {
      await keepVisitedLinks(query);
      type Row = { id: string; account_id: string };
      const links = await query<Row>(ACCOUNTS_OF_LINKS, [ids]);
      const accountOf = new Map(links.map(({ id, account_id }) => [id, account_id]));
      await addRows(query, rowsOf(visits, accountOf, nowHour));
    });
  }

  /** See `Store.readStatistics`. */
  async read(of: { linkId: string } | { accountId: string }): Promise<Statistics> {
    const subject = 'linkId' in of ? subjectOfLink(of.linkId) : subjectOfAccount(of.accountId);
    const [visits, tallies] = await Promise.all([
      this.#database.read<VisitsRow>(READ_VISITS, [subject]),
      this.#database.read<TalliesRow>(READ_TALLIES, [subject]),
    ]);
    const history = fromRows({ visits, tallies }).get(subject) ?? new History();
    return history.toStatistics(hourOf(this.#clock()));
  }

  /** See `Store.readVisitsPerDay`. */
  async readPerDay(linkIds: readonly string[], from: number): Promise<VisitsPerDay> {
    type Row = { subject: string; day: number; people: number };
    const subjects = new Map(linkIds.map((id) => [subjectOfLink(id), id]));
    const rows = await this.#database.read<Row>(READ_PER_DAY, [[...subjects.keys()], from]);
    const perDay: VisitsPerDay = new Map();
    for (const { subject, day, people } of rows) {
      const id = subjects.get(subject) ?? '';
      const days = perDay.get(id) ?? new Map<number, number>();
      perDay.set(id, days.set(day, people));
    }
    return perDay;
  }
}

/** Erases the statistics of links that the transaction has erased before. Their account keeps its own. */
export function eraseLinkStatistics(query: Query, linkIds: string[]): Promise<void> {
  return erase(query, linkIds.map(subjectOfLink));
}

/** Erases an account's own statistics, but not those of its links. */
export function eraseAccountStatistics(query: Query, accountId: string): Promise<void> {
  return erase(query, [subjectOfAccount(accountId)]);
}

async function erase(query: Query, subjects: string[]): Promise<void> {
  // At once, because the transaction may be committed without waiting for them.
  await Promise.all([
    waitForAddedVisits(query),
    query(ERASE_VISITS, [subjects]),
    query(ERASE_TALLIES, [subjects]),
  ]);
}

const hourOf = (time: number) => Math.floor(time / HOUR_MS);
const subjectOfLink = (id: string) => `link ${id}`;
const subjectOfAccount = (id: string) => `account ${id}`;

/** The visits of links and their accounts, without those of unknown links. */
function rowsOf(
  visits: VisitsOfHour[],
  accountOf: Map<string, string>,
  nowHour: number,
): HistoryRows {
  const histories = new Map<string, History>();
  for (const visit of visits) {
    const accountId = accountOf.get(visit.linkId);
    if (accountId === undefined) continue;
    const ofLink = linkTallies(visit.linkId, visit.people);
    for (const [subject, tallies] of [
      [subjectOfLink(visit.linkId), []],
      [subjectOfAccount(accountId), ofLink],
    ] as const) {
      const history = histories.get(subject) ?? new History();
      histories.set(subject, history);
      addTo(history, visit, tallies);
    }
  }
  const all = [...histories].map(([subject, history]) =>
    toRows(subject, history.rollUp(nowHour), nowHour),
  );
  return {
    visits: all.flatMap((each) => each.visits),
    tallies: all.flatMap((each) => each.tallies),
  };
}

function addTo(
  history: History,
  visit: VisitsOfHour,
  more: readonly [key: string, people: number][],
): void {
  const tallies = [...VISITOR_DIMENSIONS.entries()].flatMap(([index, dimension]) =>
    [...(visit.dimensions[dimension] ?? [])].map(([value, people]): [string, number] => [
      tallyKey(index, value),
      people,
    ]),
  );
  history.add(hourOf(visit.hour), toCounts(visit), [...tallies, ...more]);
}
