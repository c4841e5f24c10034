import { pipeline } from 'node:stream/promises';
import { styleText } from 'node:util';
import stringWidth from 'string-width';
import type { Page } from '../../../shared/client/result.ts';
import type { CliError } from '../cli-error.ts';

/** Characters that control a terminal or reverse the direction of text. */
const CONTROLS = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

/** Returns a line of text without the characters that control a terminal or reverse the direction of text. */
export function printable(line: string): string {
  return line.replace(CONTROLS, ' ');
}

/** Returns the same JSON, with all such characters escaped. JSON itself requires that of some only. */
export function escapeControls(json: string): string {
  return json.replace(CONTROLS, (character) => {
    if (character === '\n') return character;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Returns a file as a terminal may show it: its lines, each `printable`. */
export async function* printableFile(
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  for await (const part of content) {
    const lines = decoder.decode(part, { stream: true }).split('\n');
    yield encoder.encode(lines.map(printable).join('\n'));
  }
  yield encoder.encode(printable(decoder.decode()));
}

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
    if (this.json) {
      this.result(data, [], more);
      return;
    }
    const lines = toTable([header, ...data.map(toCells)], { paint: paintCell });
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  }

  /** Prints a page of a list as a table, and how to get the next one. */
  page<T>(
    { data, nextCursor }: Page<T>,
    header: string[],
    toCells: (row: T) => string[],
    more: Record<string, unknown> = {},
  ): void {
    this.table(data, header, toCells, { nextCursor, ...more });
    if (nextCursor !== null) this.note('There are more. --all lists all of them.');
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
 * Aligns columns, and returns the lines, of which nothing can control the terminal but the colors of `paint`. On a
 * terminal, the last column is cut at its width.
 *
 * @param rows cells; the first row is the header
 */
export function toTable(
  rows: string[][],
  { width = process.stdout.columns || UNLIMITED, paint = (text) => text }: TableOptions = {},
): string[] {
  const cells = rows.map((row) => row.map(printable));
  const [header = []] = cells;
  const widths = header.map((_, column) =>
    cells.reduce((width, row) => Math.max(width, stringWidth(row[column] ?? '')), 0),
  );
  return cells.map((row) => {
    let left = width;
    const parts = row.map((cell, column) => {
      const isLast = column === row.length - 1;
      const padding = (widths[column] ?? 0) - stringWidth(cell);
      const padded = isLast ? cell : cell + ' '.repeat(padding) + GAP;
      // The rest of the line may be empty.
      const rest = row.slice(column + 1).some((other) => other !== '');
      const part = cutTo(rest ? padded : cell, left);
      left -= stringWidth(part);
      return part === '' ? part : paint(part, row === header ? undefined : header[column]);
    });
    return parts.join('');
  });
}

const graphemes = new Intl.Segmenter();

/** Cuts a text at a number of columns: letters of Japanese and most emoji take two. */
function cutTo(text: string, width: number): string {
  if (width === UNLIMITED || stringWidth(text) <= width) return text;
  let [cut, used] = ['', 0];
  for (const { segment } of graphemes.segment(text)) {
    used += stringWidth(segment);
    if (used >= width) break;
    cut += segment;
  }
  return width > 0 ? `${cut}…` : '';
}

type TableOptions = {
  /** @default that of the terminal */
  width?: number;
  /** @param header of the column; undefined for the header itself */
  paint?: (text: string, header: string | undefined) => string;
};

const COLORS = new Map<string, 'green' | 'yellow' | 'cyan' | 'red'>([
  ['active', 'green'],
  ['inactive', 'yellow'],
  ['scheduled', 'cyan'],
  ...['expired', 'used_up', 'blocked', 'deleted', 'domain_removed', 'suspended', 'removed'].map(
    (status) => [status, 'red'] as const,
  ),
]);

/** Only on a terminal, and as `NO_COLOR` and `FORCE_COLOR` say. */
function paintCell(text: string, header: string | undefined): string {
  const isState = header === 'STATUS' || header === 'STATE';
  const color = header === undefined ? 'bold' : isState ? COLORS.get(text.trim()) : undefined;
  return color === undefined ? text : styleText(color, text, { stream: process.stdout });
}

/** Returns the local day of a time of the API: `2030-01-31`. */
export function toDay(time: string): string {
  return toLocalTime(time, 'day');
}

const CHARACTERS = { month: 'YYYY-MM'.length, day: 'YYYY-MM-DD'.length, hour: undefined };

/** Returns the local month, day or minute of a time of the API. @param timeZone @default that of this machine */
export function toLocalTime(
  time: string,
  unit: keyof typeof CHARACTERS,
  timeZone?: string,
): string {
  // Sweden writes dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'short',
    ...(timeZone !== undefined && { timeZone }),
  });
  return format.format(new Date(time)).slice(0, CHARACTERS[unit]);
}

/** @param max of all lines that are compared @returns a character for each value */
export function toSparkline(values: readonly number[], max = Math.max(...values)): string {
  const bars = '▁▂▃▄▅▆▇█';
  return values
    .map((value) => (value === 0 ? ' ' : bars[Math.ceil((value / max) * bars.length) - 1]))
    .join('');
}
