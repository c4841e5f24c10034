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
/** All cells of the server's tables are quoted. */
const RECORD = /(?:"(?:[^"]|"")*",?)+\r\n/g;
const CELL = /"((?:[^"]|"")*)"/g;

function selectCsv(file: string, shortUrls: Set<string>): Selected {
  const [header = '', ...records] = file.match(RECORD) ?? [];
  const column = cellsOf(header).indexOf('shortUrl');
  const selected = records.filter((record) => shortUrls.has(cellsOf(record)[column] ?? ''));
  return {
    file: [BYTE_ORDER_MARK, header, ...selected].join(''),
    found: selected.length,
  };
}

function cellsOf(record: string): string[] {
  return [...record.matchAll(CELL)].map(([, cell = '']) => cell);
}
