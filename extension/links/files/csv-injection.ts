/**
 * Spreadsheets run a cell that begins so as a formula, and titles are written by strangers
 * (OWASP, "CSV Injection"). The full-width forms are what some of them make of these.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** Puts an apostrophe in front, with which a cell is text. */
export function escapeFormula(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

/** The cell as it was before it was guarded. */
export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
