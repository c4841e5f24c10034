/** Spreadsheets need it to detect UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/**
 * Spreadsheets run cells that start with one of `=+-@`, a tab or a line break as formulas, and titles are untrusted
 * (OWASP, "CSV Injection"). Some accept the full-width forms too. A program that takes semicolons, tabs or
 * line breaks for the ends of cells sees cells inside of a cell, and may skip quotation marks before them.
 *
 * Texts with apostrophes before such a character match as well, so that the import knows which apostrophes the
 * export added.
 */
const FORMULA = /^(?='*[=+\-@\t\r\n＝＋－＠])/;
const ESCAPED_FORMULA = /^'(?='*[=+\-@\t\r\n＝＋－＠])/;
const FORMULA_INSIDE = /([;\t\r\n]"*)(?='*[=+\-@＝＋－＠])/g;
const ESCAPED_FORMULA_INSIDE = /([;\t\r\n]"*)'(?='*[=+\-@＝＋－＠])/g;

/** Adds an apostrophe, which marks a cell as text, before each formula. */
export function escapeFormula(cell: string): string {
  return cell.replace(FORMULA_INSIDE, "$1'").replace(FORMULA, "'");
}

/** Reverses `escapeFormula`. */
export function unescapeFormula(cell: string): string {
  return cell.replace(ESCAPED_FORMULA, '').replace(ESCAPED_FORMULA_INSIDE, '$1');
}

/** Returns a line of a table (RFC 4180), all of whose cells are quoted. */
export function toCsvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`;
}

/** Returns a table for a spreadsheet: none of its cells is a formula. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return BYTE_ORDER_MARK + rows.map(toSafeCsvLine).join('');
}

export function toSafeCsvLine(cells: readonly string[]): string {
  return toCsvLine(cells.map(escapeFormula));
}

/** Splits a table at the line breaks that are not in quoted cells. Each row keeps its own. */
export function splitCsv(table: string): string[] {
  const rows: string[] = [];
  let row = '';
  let quotes = 0;
  for (const line of table.split(/(?<=\n)/)) {
    row += line;
    // Those in a cell are doubled, so their number tells.
    quotes += line.split('"').length - 1;
    if (quotes % 2 === 1) continue;
    rows.push(row);
    row = '';
    quotes = 0;
  }
  return row === '' ? rows : [...rows, row];
}

/** Returns the cells of a row that `toCsvLine` has written. */
export function cellsOfCsv(row: string): string[] {
  return [...row.matchAll(/"((?:[^"]|"")*)"/g)].map(([, cell = '']) => cell.replaceAll('""', '"'));
}
