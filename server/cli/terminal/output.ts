import type { CliError } from '../cli-error.ts';
import { printable } from './table.ts';

/**
 * Prints results to standard output, as text or with `--json` as one JSON object in the API's
 * envelope. Everything else goes to standard error.
 */
export class Output {
  readonly json: boolean;

  constructor(json: boolean) {
    this.json = json;
  }

  /** @param more further members of the JSON object, such as `nextCursor` */
  result(data: unknown, text: string, more: Record<string, unknown> = {}): void {
    if (this.json) this.#print({ success: true, data, ...more });
    else if (text !== '') process.stdout.write(`${text}\n`);
  }

  /** A sentence for people. */
  note(text: string): void {
    if (!this.json) process.stderr.write(`${text}\n`);
  }

  /** A sentence that must not get lost. */
  warn(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  failure({ code, message, details }: CliError): void {
    if (this.json) {
      this.#print({ success: false, code, message, ...details });
      return;
    }
    const { issues = [], suggestions = [] } = details;
    const lines = [
      message,
      ...issues.map((issue) => `  ${issue.path === '' ? '' : `${issue.path}: `}${issue.message}`),
      ...(suggestions.length > 0 ? [`Available: ${suggestions.join(', ')}`] : []),
    ];
    // Messages are from servers, too.
    const text = lines.join('\n').split('\n').map(printable).join('\n');
    process.stderr.write(`${text}\n`);
  }

  #print(value: object): void {
    process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  }
}
