import { History } from './history.ts';
import type { Counts } from './retention.ts';
import type { Series, TallySeries } from './series.ts';

/** Periods are numbers of hours or days since the epoch, or of months since the year 0. */
type SeriesJson = [period: number, ...Counts][];
/** People by keys as in `Tallies`. */
type TallySeriesJson = [period: number, Record<string, number>][];

/** The statistics of a link or an account as JSON. What is empty is omitted. */
export type HistoryJson = {
  hours?: SeriesJson;
  days?: SeriesJson;
  months?: SeriesJson;
  talliesOfDays?: TallySeriesJson;
  talliesOfMonths?: TallySeriesJson;
};

const SERIES = ['hours', 'days', 'months'] as const;
const TALLIES = ['talliesOfDays', 'talliesOfMonths'] as const;

export function toHistoryJson(history: History): HistoryJson {
  const json: HistoryJson = {};
  for (const name of SERIES) if (history[name].size > 0) json[name] = toSeries(history[name]);
  for (const name of TALLIES) if (history[name].size > 0) json[name] = toTallies(history[name]);
  return json;
}

export function fromHistoryJson(json: HistoryJson): History {
  const history = new History();
  for (const name of SERIES) {
    history[name].addLater(json[name] ?? []);
  }
  // Days mostly have the same values, which need not be in memory several times.
  const texts = new Map<string, string>();
  for (const name of TALLIES) {
    for (const [period, people] of json[name] ?? []) {
      const tallies = Object.entries(people).map(([key, number]): [string, number] => {
        const text = texts.get(key) ?? key;
        texts.set(text, text);
        return [text, number];
      });
      history[name].add(period, tallies);
    }
  }
  return history;
}

function toSeries(series: Series): SeriesJson {
  return [...series].map(([period, counts]) => [period, ...counts]);
}

function toTallies(series: TallySeries): TallySeriesJson {
  return [...series].map(([period, tallies]) => [period, Object.fromEntries(tallies)]);
}
