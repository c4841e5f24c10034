import type { ExportFormat } from '../../../shared/links/transfer-formats.ts';

/** The part of an exported file that is about some links. The file can be imported again. */
export function selectExported(file: string, format: ExportFormat, aliases: Set<string>): string {
  return format === 'json' ? selectJson(file, aliases) : selectCsv(file, aliases);
}

function selectJson(file: string, aliases: Set<string>): string {
  const { links, ...about } = JSON.parse(file) as { links: { alias: string }[] };
  const selected = links.filter(({ alias }) => aliases.has(alias));
  return `${JSON.stringify({ ...about, links: selected })}\n`;
}

/** All cells of the server's tables are quoted. */
const RECORD = /(?:"(?:[^"]|"")*",?)+\r\n/g;
const CELL = /"((?:[^"]|"")*)"/g;

function selectCsv(file: string, aliases: Set<string>): string {
  const start = file.indexOf('"');
  const [header = '', ...records] = file.match(RECORD) ?? [];
  const column = cellsOf(header).indexOf('alias');
  // An alias that starts with a hyphen could be a formula, so it starts with an apostrophe there.
  const selected = records.filter((record) =>
    aliases.has((cellsOf(record)[column] ?? '').replace(/^'/, '')),
  );
  return file.slice(0, start) + [header, ...selected].join('');
}

function cellsOf(record: string): string[] {
  return [...record.matchAll(CELL)].map(([, cell = '']) => cell);
}
