import { toCsv } from '../csv.ts';
import type { ImportedRow } from './transfer.ts';

const HEADER = ['row', 'old', 'new', 'destination', 'status', 'issues'];

/** Returns the report of an import as a table: above all, the old and the new short URL of each link. */
export function reportToCsv(results: readonly ImportedRow[]): string {
  const rows = results.map(({ row, source, shortUrl, status, issues }) => {
    const problems = issues.map(({ field, message }) => (field ? `${field}: ${message}` : message));
    const old = source.shortUrl ?? source.alias ?? '';
    return [
      String(row),
      old,
      shortUrl ?? '',
      source.originalUrl ?? '',
      status,
      problems.join('\n'),
    ];
  });
  return toCsv([HEADER, ...rows]);
}
