import type { ExportFormat } from '../../links/transfer-formats.ts';

export type Selected = {
  /** Can be imported again. */
  file: string;
  /** How many of the links the exported file has. */
  found: number;
};

/** The part of an exported file that is about some links. */
export function selectExported(file: string, format: ExportFormat, aliases: Set<string>): Selected {
  return format === 'json' ? selectJson(file, aliases) : selectCsv(file, aliases);
}

function selectJson(file: string, aliases: Set<string>): Selected {
  const { links, ...about } = JSON.parse(file) as { links: { alias: string }[] };
  const selected = links.filter(({ alias }) => aliases.has(alias));
  return {
    file: `${JSON.stringify({ ...about, links: selected })}\n`,
    found: selected.length,
  };
}

/** All cells of the server's tables are quoted. */
const RECORD = /(?:"(?:[^"]|"")*",?)+\r\n/g;
const CELL = /"((?:[^"]|"")*)"/g;

function selectCsv(file: string, aliases: Set<string>): Selected {
  const start = file.indexOf('"');
  const [header = '', ...records] = file.match(RECORD) ?? [];
  const column = cellsOf(header).indexOf('alias');
  // An alias that starts with a hyphen could be a formula, so it starts with an apostrophe there.
  const selected = records.filter((record) =>
    aliases.has((cellsOf(record)[column] ?? '').replace(/^'/, '')),
  );
  return {
    file: file.slice(0, start) + [header, ...selected].join(''),
    found: selected.length,
  };
}

function cellsOf(record: string): string[] {
  return [...record.matchAll(CELL)].map(([, cell = '']) => cell);
}
