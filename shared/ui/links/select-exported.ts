import type { ExportFormat } from '../../links/transfer-formats.ts';

export type Selected = {
  /** Can be imported again. */
  file: string;
  /** How many of the links the exported file has. */
  found: number;
};

/** The part of an exported file that is about some links. */
export function selectExported(
  file: string,
  format: ExportFormat,
  shortUrls: Set<string>,
): Selected {
  return format === 'json' ? selectJson(file, shortUrls) : selectCsv(file, shortUrls);
}

function selectJson(file: string, shortUrls: Set<string>): Selected {
  const { links, ...about } = JSON.parse(file) as { links: { shortUrl: string }[] };
  const selected = links.filter(({ shortUrl }) => shortUrls.has(shortUrl));
  return {
    file: `${JSON.stringify({ ...about, links: selected })}\n`,
    found: selected.length,
  };
}

/** Spreadsheets need it to detect UTF-8, and `Blob.text` leaves it out. */
const BYTE_ORDER_MARK = '\ufeff';
/** A cell and its end. All cells of the server's tables are quoted. */
const CELL = /"([^"]*(?:""[^"]*)*)"(,|\r\n)/y;

function selectCsv(file: string, shortUrls: Set<string>): Selected {
  const [header, ...records] = readRecords(file);
  const column = header?.cells.indexOf('shortUrl') ?? -1;
  const selected = records.filter(({ cells }) => shortUrls.has(cells[column] ?? ''));
  const texts = [header, ...selected].map((record) => record?.text);
  return { file: [BYTE_ORDER_MARK, ...texts].join(''), found: selected.length };
}

type CsvRecord = { text: string; cells: string[] };

/** Up to the first line that is none. */
function readRecords(file: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let [start, cells] = [file.startsWith(BYTE_ORDER_MARK) ? 1 : 0, [] as string[]];
  CELL.lastIndex = start;
  for (let match = CELL.exec(file); match; match = CELL.exec(file)) {
    const [, cell = '', end] = match;
    cells.push(cell);
    if (end === ',') continue;
    records.push({ text: file.slice(start, CELL.lastIndex), cells });
    [start, cells] = [CELL.lastIndex, []];
  }
  return records;
}
