import { IMPORT_BODY_MAX_BYTES, IMPORT_ROWS_MAX } from '../bounds.ts';
import { BYTE_ORDER_MARK, cellsOfCsv, splitCsv } from '../csv.ts';
import type { ExportFormat } from './transfer-formats.ts';

/** What an import takes at once. */
const LIMITS = { rows: IMPORT_ROWS_MAX, bytes: IMPORT_BODY_MAX_BYTES };

const JSON_START = /^\{.*"links":\[\n/;
const JSON_END = '\n]}\n';

/**
 * Splits an exported file into files that an import takes: each with the head of the whole. Usually it stays one.
 *
 * @param text as the server exports links: JSON with a link a line, or CSV with a header
 */
export function splitExport(text: string, format: ExportFormat, limits = LIMITS): string[] {
  const bytes = new TextEncoder();
  const [start, rows, between, end] = partsOf(text, format);
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
  return files.map((file) => start + file.join(between) + end);
}

/** Returns the part of an exported file that is about some links, and how many of them it has. */
export function selectExported(text: string, format: ExportFormat, shortUrls: Set<string>) {
  const [start, rows, between, end] = partsOf(text, format);
  const column = format === 'csv' ? cellsOfCsv(start).indexOf('shortUrl') : -1;
  const shortUrlOf = (row: string): string =>
    format === 'csv' ? (cellsOfCsv(row)[column] ?? '') : JSON.parse(row).shortUrl;
  const selected = rows.filter((row) => shortUrls.has(shortUrlOf(row)));
  return { file: start + selected.join(between) + end, found: selected.length };
}

/** Returns the text before the rows, the rows, and the text between and after them. */
type Parts = [start: string, rows: string[], between: string, end: string];

function partsOf(text: string, format: ExportFormat): Parts {
  if (format === 'csv') {
    // `Blob.text` leaves the mark out.
    const [header = '', ...rows] = splitCsv(text.replace(BYTE_ORDER_MARK, ''));
    return [BYTE_ORDER_MARK + header, rows, '', ''];
  }
  const start = JSON_START.exec(text)?.[0] ?? '';
  const rest = text.slice(start.length);
  if (!rest.endsWith(JSON_END)) return [start, [], '', rest];
  return [start, rest.slice(0, -JSON_END.length).split(',\n'), ',\n', JSON_END];
}

/** Returns the name of a part, such as `links-2.json` of `links.json`. */
export function nameOfPart(name: string, part: number): string {
  const [, stem = name, ending = ''] = /^(.*?)(\.[^./\\]*)?$/s.exec(name) ?? [];
  return `${stem}-${part}${ending}`;
}
