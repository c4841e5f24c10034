import type { Query, Statement } from '../database/statement.ts';
import type { HistoryRows, TalliesRow, VisitsRow } from './history-rows.ts';

const ROWS_A_STATEMENT = 1000;
/** As it is stored. */
const LARGE_BYTES = 4000;

const ADD_VISITS: Statement = {
  name: 'add_visits',
  text: `INSERT INTO visits AS v (subject, unit, start, people, unique_people, previews, bots)
    SELECT * FROM unnest($1::text[], $2::"char"[], $3::bigint[], $4::bigint[], $5::bigint[],
      $6::bigint[], $7::bigint[])
    ON CONFLICT (subject, unit, start) DO UPDATE SET
      people = v.people + excluded.people,
      unique_people = v.unique_people + excluded.unique_people,
      previews = v.previews + excluded.previews,
      bots = v.bots + excluded.bots`,
};
/**
 * Most rows have few values, of which only those that change are looked up. A large one may have values
 * that were made up: `add_tallies` takes longer and limits them.
 */
const ADD_TALLIES: Statement = {
  name: 'add_visit_tallies',
  text: `INSERT INTO visit_tallies AS t (subject, unit, start, tallies)
    SELECT * FROM ROWS FROM (
      unnest($1::text[], $2::"char"[], $3::bigint[]), jsonb_array_elements($4::jsonb)
    )
    ON CONFLICT (subject, unit, start) DO UPDATE SET tallies =
      CASE WHEN pg_column_size(t.tallies) > ${LARGE_BYTES} THEN add_tallies(t.tallies, excluded.tallies)
      ELSE t.tallies || (
        SELECT jsonb_object_agg(key, value::bigint + coalesce((t.tallies->key)::bigint, 0))
        FROM jsonb_each(excluded.tallies)
      ) END`,
};

/** Adds the numbers of rows to those that the database has. No row may be there twice. */
export async function addRows(query: Query, { visits, tallies }: HistoryRows): Promise<void> {
  for (const rows of inParts(visits)) {
    await query(ADD_VISITS, [
      rows.map(({ subject }) => subject),
      rows.map(({ unit }) => unit),
      rows.map(({ start }) => start),
      rows.map(({ people }) => people),
      rows.map(({ unique_people }) => unique_people),
      rows.map(({ previews }) => previews),
      rows.map(({ bots }) => bots),
    ]);
  }
  for (const rows of inParts(tallies)) {
    await query(ADD_TALLIES, [
      rows.map(({ subject }) => subject),
      rows.map(({ unit }) => unit),
      rows.map(({ start }) => start),
      JSON.stringify(rows.map((row) => row.tallies)),
    ]);
  }
}

/** All servers lock rows in one order, so that none waits for another that waits for it. */
function* inParts<Row extends VisitsRow | TalliesRow>(rows: Row[]): Generator<Row[]> {
  const sorted = rows.toSorted(byKey);
  for (let start = 0; start < sorted.length; start += ROWS_A_STATEMENT) {
    yield sorted.slice(start, start + ROWS_A_STATEMENT);
  }
}

function byKey(a: VisitsRow | TalliesRow, b: VisitsRow | TalliesRow): number {
  if (a.subject !== b.subject) return a.subject < b.subject ? -1 : 1;
  if (a.unit !== b.unit) return a.unit < b.unit ? -1 : 1;
  return a.start - b.start;
}
