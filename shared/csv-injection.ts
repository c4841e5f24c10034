/**
 * Spreadsheets run cells that start with these characters as formulas, and titles are untrusted
 * (OWASP, "CSV Injection"). Some accept the full-width forms too. Cells that start with an apostrophe
 * before such a character match as well, so that the import knows which apostrophes the export added.
 */
export const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** Adds a leading apostrophe, which marks a cell as text. */
export function escapeFormula(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

/** Reverses `escapeFormula`. */
export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
