import type { CliError } from '../cli-error.ts';
import { escapeControls, printable } from './printable.ts';
import { toTable } from './table.ts';

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

  /**
   * Prints rows as a table.
   *
   * @param toRows makes the rows, if they are printed as text; the first one is the header
   */
  table(data: unknown, toRows: () => string[][], more: Record<string, unknown> = {}): void {
    this.result(data, this.json ? [] : toTable(toRows()), more);
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
