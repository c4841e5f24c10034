import { toCsv } from '../../../csv.ts';
import { saveFile } from '../../save-file.ts';
import type { ShownReport } from '../report.ts';

const FIELDS = ['kind', 'value', 'people', 'uniquePeople', 'previews', 'bots'] as const;
type Row = { [K in (typeof FIELDS)[number]]?: string | number };
const TOPS = {
  target: 'targets',
  referrer: 'referrers',
  browser: 'browsers',
  system: 'systems',
  device: 'devices',
  country: 'countries',
} as const;

/**
 * Writes a report as CSV (RFC 4180) with a row per number of the report: `kind` is `total`, `hour`,
 * `day` or `month`, `referrer` and so on. Formulas start with an apostrophe.
 */
export function writeReport(report: ShownReport): string {
  const { unit, totals, series, timeZone } = report;
  const rows: Row[] = [
    { kind: 'total', value: timeZone, ...totals },
    ...series.map(({ start, ...counts }) => ({
      kind: unit,
      value: withOffset(start, timeZone),
      ...counts,
    })),
    ...Object.entries(TOPS).flatMap(([kind, field]) =>
      (report[field] ?? []).map(({ key, people }) => ({
        kind,
        value: key,
        people,
      })),
    ),
  ];
  const cellsOf = (row: Row) => FIELDS.map((field) => String(row[field] ?? ''));
  return toCsv([FIELDS, ...rows.map(cellsOf)]);
}

/** A time as ISO 8601 in a time zone: `2030-01-31T00:00:00+01:00`. */
function withOffset(time: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const name = parts.formatToParts(new Date(time)).find(({ type }) => type === 'timeZoneName');
  const [, sign = '+', hours = '00', minutes = '00'] =
    /GMT([+-])(\d\d):(\d\d)/.exec(name?.value ?? '') ?? [];
  const offset = Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  const local = new Date(Date.parse(time) + offset)
    .toISOString()
    .slice(0, '2030-01-31T00:00:00'.length);
  return `${local}${sign}${hours}:${minutes}`;
}

/** Downloads a report as `curt-statistics-<name>.csv`. */
export function saveReport(report: ShownReport, name: string): void {
  const content = new Blob([writeReport(report)], { type: 'text/csv;charset=utf-8' });
  saveFile(content, `curt-statistics-${name}.csv`);
}
