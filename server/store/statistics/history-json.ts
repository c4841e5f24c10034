import { addTo } from '../visits.ts';
import { History, inOrder, type Series, type TallySeries } from './history.ts';
import type { Counts } from './retention.ts';
import { newTallies, type Tallies } from './tallies.ts';

/** Periods are numbers of hours or days since the epoch, or of months since the year 0. */
type SeriesJson = [period: number, ...Counts][];
type TallySeriesJson = [period: number, ...[key: string, people: number][][]][];

/** The statistics of a link or an account in a line of a snapshot. */
export type HistoryJson = {
  /** The link's id; left out for an account. */
  link?: string;
  /** The id of the account, or of the link's account. */
  account: string;
  hours: SeriesJson;
  days?: SeriesJson;
  months?: SeriesJson;
  talliesOfDays?: TallySeriesJson;
  talliesOfMonths?: TallySeriesJson;
};

export type HistoryOwner = Pick<HistoryJson, 'link' | 'account'>;

export function toHistoryJson({ link, account }: HistoryOwner, history: History): HistoryJson {
  return {
    ...(link !== undefined && { link }),
    account,
    hours: toSeries(history.hours),
    ...(history.days.size > 0 && { days: toSeries(history.days) }),
    ...(history.months.size > 0 && { months: toSeries(history.months) }),
    ...(history.talliesOfDays.size > 0 && { talliesOfDays: toTallies(history.talliesOfDays) }),
    ...(history.talliesOfMonths.size > 0 && {
      talliesOfMonths: toTallies(history.talliesOfMonths),
    }),
  };
}

export function fromHistoryJson(json: HistoryJson): History {
  const history = new History();
  for (const name of ['hours', 'days', 'months'] as const) {
    for (const [period, ...counts] of json[name] ?? []) history[name].set(period, counts);
  }
  for (const name of ['talliesOfDays', 'talliesOfMonths'] as const) {
    for (const [period, ...tallies] of json[name] ?? []) {
      history[name].set(period, fromTallies(tallies));
    }
  }
  return history;
}

function toSeries(series: Series): SeriesJson {
  return inOrder(series).map(([period, counts]) => [period, ...counts]);
}

function toTallies(series: TallySeries): TallySeriesJson {
  return inOrder(series).map(([period, tallies]) => [
    period,
    ...tallies.map((tally) => [...tally]),
  ]);
}

function fromTallies(tallies: [key: string, people: number][][]): Tallies {
  const read = newTallies();
  for (const [index, tally] of read.entries()) {
    for (const [key, people] of tallies[index] ?? []) addTo(tally, key, people);
  }
  return read;
}
