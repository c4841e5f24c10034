import { IMPORT_BODY_MAX_BYTES, IMPORT_ROWS_MAX } from '../limits.ts';

/** What an import takes at once. */
const LIMITS = { rows: IMPORT_ROWS_MAX, bytes: IMPORT_BODY_MAX_BYTES };

const JSON_START = /^\{.*"links":\[\n/;
const JSON_END = '\n]}\n';

/**
 * Splits an exported file into files that an import takes: each with the head of the whole. Usually it stays one.
 *
 * @param text as the server exports links: JSON with a link a line, or CSV with a header
 */
export function splitExport(text: string, isJson: boolean, limits = LIMITS): string[] {
  const bytes = new TextEncoder();
  const [start, rows, between, end] = isJson ? partsOfJson(text) : partsOfCsv(text);
  const files: string[][] = [[]];
  const fixed = bytes.encode(start + end).length;
  let size = fixed;
  for (const row of rows) {
    const added = bytes.encode(row + between).length;
    const file = files.at(-1) ?? [];
    if (file.length > 0 && (file.length === limits.rows || size + added > limits.bytes)) {
      files.push([row]);
      size = fixed + added;
    } else {
      file.push(row);
      size += added;
    }
  }
  return files.length === 1 ? [text] : files.map((file) => start + file.join(between) + end);
}

/** Returns the text before the rows, the rows, and the text between and after them. */
type Parts = [start: string, rows: string[], between: string, end: string];

function partsOfJson(text: string): Parts {
  const start = JSON_START.exec(text)?.[0] ?? '';
  const rows = text.slice(start.length, -JSON_END.length).split(',\n');
  return [start, rows, ',\n', JSON_END];
}

function partsOfCsv(text: string): Parts {
  const [header = '', ...rows] = linesOfCsv(text);
  return [header, rows, '', ''];
}

/** A line break between quotes belongs to a cell. Quotes in a cell are doubled, so their number tells. */
function linesOfCsv(text: string): string[] {
  const rows: string[] = [];
  let row = '';
  let quotes = 0;
  for (const line of text.split(/(?<=\n)/)) {
    row += line;
    quotes += line.split('"').length - 1;
    if (quotes % 2 === 1) continue;
    rows.push(row);
    row = '';
    quotes = 0;
  }
  return row === '' ? rows : [...rows, row];
}

/** Returns the name of a part, such as `links-2.json` of `links.json`. */
export function nameOfPart(name: string, part: number): string {
  const [, stem = name, ending = ''] = /^(.*?)(\.[^./\\]*)?$/s.exec(name) ?? [];
  return `${stem}-${part}${ending}`;
}
