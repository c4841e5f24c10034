import { History } from '../../statistics/history.ts';
import { fromHistoryJson, type HistoryJson, toHistoryJson } from '../../statistics/history-json.ts';

type Tallies = 'talliesOfDays' | 'talliesOfMonths';

/** What is read of a row of `visits`. */
export type HistoryRow = {
  counts: Omit<HistoryJson, Tallies>;
  tallies: Pick<HistoryJson, Tallies>;
};

/** The rows of one subject together. */
export function sumOf(rows: readonly HistoryRow[]): History {
  const sum = new History();
  for (const { counts, tallies } of rows)
    sum.addHistory(fromHistoryJson({ ...counts, ...tallies }));
  return sum;
}

/** The columns `last_visit`, `counts` and `tallies` of rows, the last two as arrays in JSON. */
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
