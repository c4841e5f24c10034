import type { Page, Result } from '../../../shared/client/result.ts';
import type { ServerOptions } from '../api/connect.ts';
import { succeed } from '../cli-error.ts';
import { type CurtCommand, type PageOptions, readPages } from '../command.ts';
import type { Context } from '../context.ts';

type About = {
  description: string;
  /** Adds arguments and options, apart from those that all of these commands have. */
  setUp?(command: CurtCommand): unknown;
  examples: string[];
};
type Columns<T> = { header: string[]; toCells(row: T): string[] };
type PageQuery = { limit?: number; cursor?: string };
type Connection<C> = { client: C; server: string };
type Done = { data: unknown; text: string /** For people only. */; note?: string };

/**
 * Returns what adds commands that are little more than a call of the API. Their functions get the values of the
 * arguments, and then the options.
 */
export function simpleCommands<C>(
  context: Context,
  connect: (context: Context, options: ServerOptions) => Promise<Connection<C>>,
) {
  const { output } = context;

  function add<Given>(
    parent: CurtCommand,
    name: string,
    { description, setUp, examples, isPaged }: About & { isPaged?: boolean },
    run: (connection: Connection<C>, given: Given, options: PageOptions) => Promise<void>,
  ): void {
    const command = parent.command(name).description(description);
    setUp?.(command);
    if (isPaged) command.pageOptions();
    command.serverOption().examples(...examples);
    command.action(async (...given) => {
      const options = command.opts<ServerOptions & PageOptions>();
      await run(await connect(context, options), given as Given, options);
    });
  }

  return {
    /** Adds a command that prints a list. */
    list: <T, Given extends unknown[]>(
      parent: CurtCommand,
      name: string,
      row: About & Columns<T> & { read(client: C, ...given: Given): Promise<Result<T[]>> },
    ) =>
      add<Given>(parent, name, row, async ({ client }, given) => {
        const { data } = succeed(await row.read(client, ...given));
        output.table(data, row.header, row.toCells);
      }),

    /** Adds a command that prints a page of a list, or all of them. */
    pages: <T, Given extends unknown[]>(
      parent: CurtCommand,
      name: string,
      row: About &
        Columns<T> & {
          read(client: C, page: PageQuery, ...given: Given): Promise<Result<Page<T>>>;
        },
    ) =>
      add<Given>(parent, name, { ...row, isPaged: true }, async ({ client }, given, options) => {
        const page = await readPages(options, (part) => row.read(client, part, ...given));
        output.page(page, row.header, row.toCells);
      }),

    /** Adds a command that does one thing, and says so. */
    action: <Given extends unknown[]>(
      parent: CurtCommand,
      name: string,
      row: About & { act(connection: Connection<C>, ...given: Given): Promise<Done> },
    ) =>
      add<Given>(parent, name, row, async (connection, given) => {
        const { data, text, note } = await row.act(connection, ...given);
        if (note) output.note(note);
        output.result(data, text);
      }),
  };
}
