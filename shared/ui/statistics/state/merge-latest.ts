import { COUNT_LABELS, type Counts } from '../series.ts';
import type { ShownReport } from '../statistics-source.ts';

/**
 * Replaces the current period of a report.
 *
 * @param latest a report of that period alone
 * @returns undefined if a further period has begun, so that the whole report must be read again
 */
export function mergeLatest(report: ShownReport, latest: ShownReport): ShownReport | undefined {
  const [point] = latest.series;
  const before = report.series.find(({ start }) => start === point?.start);
  if (latest.series.length !== 1 || !before || !point) return undefined;
  const totals = { ...report.totals };
  for (const name of Object.keys(COUNT_LABELS) as (keyof Counts)[]) {
    totals[name] += point[name] - before[name];
  }
  return { ...report, totals, series: report.series.map((one) => (one === before ? point : one)) };
}
