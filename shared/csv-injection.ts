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

/** Returns a line of a table (RFC 4180). All cells are quoted, and none is a formula. */
export function toCsvLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) => `"${escapeFormula(cell).replaceAll('"', '""')}"`);
  return `${quoted.join(',')}\r\n`;
}
