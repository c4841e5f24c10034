import { pipeline } from 'node:stream/promises';
import type { Page } from '../../../shared/client/all-pages.ts';
import type { CliError } from '../cli-error.ts';
import { escapeControls, printable, printableFile } from './printable.ts';

const GAP = '  ';
/** For output that is not a terminal, or one of unknown width, whose lines are never cut. */
const UNLIMITED = Number.POSITIVE_INFINITY;

/** A line, or lines. A line stays one: line breaks in the texts of a server would forge others. */
type Text = string | string[];

/**
 * Prints results to standard output, as text or with `--json` as one JSON object in the API's
 * envelope. Everything else goes to standard error. Texts of servers and of other people can't control the
 * terminal.
 */
export class Output {
  readonly json: boolean;

  constructor(json: boolean) {
    this.json = json;
  }

  /** @param more further members of the JSON object, such as `nextCursor` */
  result(data: unknown, text: Text, more: Record<string, unknown> = {}): void {
    if (this.json) this.#print({ success: true, data, ...more });
    else writeLines(process.stdout, text);
  }

  /** Prints rows as a table. */
  table<T>(
    data: T[],
    header: string[],
    toCells: (row: T) => string[],
    more: Record<string, unknown> = {},
  ): void {
    this.result(data, this.json ? [] : toTable([header, ...data.map(toCells)]), more);
  }

  /** Prints a page of a list as a table, and how to get the next one. */
  page<T>(
    { data, nextCursor }: Page<T>,
    header: string[],
    toCells: (row: T) => string[],
    more: Record<string, unknown> = {},
  ): void {
    this.table(data, header, toCells, { nextCursor, ...more });
    if (nextCursor !== null) this.note(`There are more: --all, or --cursor ${nextCursor}`);
  }

  /** Prints a file of a server: exactly, unless it is for a terminal, which must show it and not obey it. */
  async file(content: AsyncIterable<Uint8Array>): Promise<void> {
    const shown = process.stdout.isTTY ? printableFile(content) : content;
    await pipeline(shown, process.stdout, { end: false });
  }

  /** A sentence for people. */
  note(text: Text): void {
    if (!this.json) writeLines(process.stderr, text);
  }

  /** A sentence that must not get lost. */
  warn(text: string): void {
    writeLines(process.stderr, text);
  }

  failure({ code, message, details }: CliError): void {
    if (this.json) {
      this.#print({ success: false, code, message, ...details });
      return;
    }
    const { issues = [], suggestions = [] } = details;
    // The message of a server has those of the issues, as a rule.
    const more = issues.filter((issue) => !message.includes(issue.message));
    writeLines(process.stderr, [
      message,
      ...more.map((issue) => `  ${issue.path === '' ? '' : `${issue.path}: `}${issue.message}`),
      ...(suggestions.length > 0 ? [`Available: ${suggestions.join(', ')}`] : []),
    ]);
  }

  #print(value: object): void {
    process.stdout.write(`${escapeControls(JSON.stringify(value, null, 2))}\n`);
  }
}

function writeLines(stream: NodeJS.WritableStream, text: Text): void {
  const lines = [text].flat().map((line) => `${printable(line)}\n`);
  stream.write(lines.join(''));
}

/**
 * Aligns columns, and returns the lines. On a terminal, the last column is cut at its width.
 *
 * @param rows cells; the first row is the header
 */
export function toTable(rows: string[][], width = process.stdout.columns || UNLIMITED): string[] {
  const cells = rows.map((row) => row.map(printable));
  const widths = (cells[0] ?? []).map((_, column) =>
    cells.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0),
  );
  return cells.map((row) => {
    const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(GAP);
    return (line.length > width ? `${line.slice(0, width - 1)}…` : line).trimEnd();
  });
}
