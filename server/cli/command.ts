import { Command, InvalidArgumentError, Option } from 'commander';
import { LIST_LIMIT_MAX } from '../../shared/bounds.ts';
import { type Page, type Result, readAllPages } from '../../shared/client/result.ts';
import { succeed } from './cli-error.ts';

/** A command of Curt, with what several of them have in common. */
export class CurtCommand extends Command {
  override createCommand(name?: string): CurtCommand {
    return new CurtCommand(name);
  }

  /** The option of every command that calls a server. See `ServerOptions`. */
  serverOption(): this {
    return this.option('--server <url>', 'server to use, instead of the stored one');
  }

  /** The options of every command that lists something in pages. See `PageOptions`. */
  pageOptions(): this {
    return this.option('--limit <number>', 'rows of a page, up to 100 (default: 50)', parseNumber)
      .option('--cursor <cursor>', 'nextCursor of the page before')
      .option('--all', 'all pages');
  }

  choiceOption(flags: string, description: string, choices: readonly string[]): this {
    return this.addOption(new Option(flags, description).choices(choices));
  }

  /** Of these options, by the names of their values, a command takes one. */
  exclusive(...names: string[]): this {
    for (const option of this.options) {
      const name = option.attributeName();
      if (names.includes(name)) option.conflicts(names.filter((other) => other !== name));
    }
    return this;
  }

  examples(...lines: string[]): this {
    const examples = lines.map((line) => `\n  $ ${line}`).join('');
    return this.addHelpText('after', `\nExamples:${examples}`);
  }
}

export function parseNumber(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isFinite(number)) return number;
  throw new InvalidArgumentError('Must be a number.');
}

/** Parses a value that a header can have. An empty one would be as if the option were not there. */
export function parseHeader(text: string): string {
  if (/^[ -~]+$/.test(text) && text.trim() !== '') return text;
  throw new InvalidArgumentError('Must be visible ASCII characters, at least one.');
}

type Defined<T> = { [key in keyof T]?: Exclude<T[key], undefined> };

/** Returns the fields of a request, without options that were not given. */
export function withoutUndefined<T extends object>(fields: T): Defined<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<T>;
}

/** An option that was removed with `--no-…` is null in a request. */
export function orNull<T>(value: T | false | undefined): T | null | undefined {
  return value === false ? null : value;
}

export type PageOptions = { limit?: number; cursor?: string; all?: boolean };

/** Reads a page, or all of them from there on. */
export async function readPages<T>(
  { limit, cursor, all }: PageOptions,
  read: (query: { limit?: number; cursor?: string }) => Promise<Result<Page<T>>>,
): Promise<Page<T>> {
  const rows = limit ?? (all ? LIST_LIMIT_MAX : undefined);
  const readFrom = (from: string | undefined) => {
    return read(withoutUndefined({ limit: rows, cursor: from }));
  };
  if (!all) return succeed(await readFrom(cursor)).data;
  return { data: succeed(await readAllPages(readFrom, cursor)).data, nextCursor: null };
}
