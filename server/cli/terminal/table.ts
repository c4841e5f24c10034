import { printable } from './printable.ts';

const GAP = '  ';
/** For output that is not a terminal, whose lines are never cut. */
const UNLIMITED = Number.POSITIVE_INFINITY;

/**
 * Aligns columns, and returns the lines. On a terminal, the last column is cut at its width.
 *
 * @param rows cells; the first row is the header
 */
export function toTable(rows: string[][], width = process.stdout.columns ?? UNLIMITED): string[] {
  const cells = rows.map((row) => row.map(printable));
  const widths = (cells[0] ?? []).map((_, column) =>
    cells.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0),
  );
  return cells.map((row) => {
    const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(GAP);
    return (line.length > width ? `${line.slice(0, width - 1)}…` : line).trimEnd();
  });
}
