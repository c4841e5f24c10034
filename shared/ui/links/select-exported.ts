import { BYTE_ORDER_MARK } from '../../csv-injection.ts';
import type { ExportFormat } from '../../links/transfer-formats.ts';

export type Selected = {
  /** Can be imported again. */
  file: string;
  /** How many of the links the exported file has. */
  found: number;
};

/** Returns the part of an exported file that is about some links. */
export async function selectExported(
  file: string,
  format: ExportFormat,
  shortUrls: Set<string>,
): Promise<Selected> {
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

async function selectCsv(file: string, shortUrls: Set<string>): Promise<Selected> {
  const { default: Papa } = await import('papaparse');
  // `Blob.text` leaves the mark out.
  const { data } = Papa.parse<string[]>(file.replace(BYTE_ORDER_MARK, ''), {
    delimiter: ',',
    newline: '\r\n',
    skipEmptyLines: true,
  });
  const [header = [], ...rows] = data;
  const column = header.indexOf('shortUrl');
  const selected = rows.filter((cells) => shortUrls.has(cells[column] ?? ''));
  const table = Papa.unparse([header, ...selected], { quotes: true, newline: '\r\n' });
  return { file: `${BYTE_ORDER_MARK}${table}\r\n`, found: selected.length };
}
