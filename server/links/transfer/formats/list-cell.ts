/** Tags can contain the separators. */
const SEPARATORS = /[\\|,]/g;

/** Joins texts into one cell: `sale|a\,b`. */
export function joinList(texts: string[]): string {
  return texts.map((text) => text.replace(SEPARATORS, '\\$&')).join('|');
}

/** Splits a cell at `|` and `,` unless a `\` precedes them. Empty parts are skipped. */
export function splitList(cell: string): string[] {
  return (cell.match(/(\\.|[^\\|,])+|\\$/gs) ?? [])
    .map((part) => part.replace(/\\(.)/gs, '$1').trim())
    .filter((part) => part !== '');
}
