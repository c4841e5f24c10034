import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import type { ServerOptions } from '../../server/connection.ts';
import { withServer } from '../../server/server-option.ts';
import { moreText, type PageOptions, readPages, withPageOptions } from '../pages.ts';
import { connectAsAdmin } from './connect.ts';

type ListOptions = ServerOptions & PageOptions & { search?: string };

export function addAccountList(account: Command, context: Context): void {
  const command = account
    .command('list')
    .description('list accounts, newest first')
    .option('--search <text>', 'part of the name or the ID');
  withServer(withPageOptions(command))
    .addHelpText('after', EXAMPLES)
    .action((options: ListOptions) => run(context, options));
}

async function run(context: Context, options: ListOptions): Promise<void> {
  const { client } = await connectAsAdmin(context, options);
  const query = options.search === undefined ? {} : { q: options.search };
  const { data, nextCursor } = await readPages(options, (page) =>
    client.listAccounts({ ...query, ...page }),
  );
  const toRows = () => [
    ['ID', 'LINKS', 'QUOTA', 'STATE', 'NAME'],
    ...data.map(({ id, links, monthlyQuota, suspended, blocked, name }) => {
      const state = blocked ? 'blocked' : suspended ? 'suspended' : 'active';
      return [id, String(links), String(monthlyQuota ?? 'default'), state, name];
    }),
  ];
  context.output.table(data, toRows, { nextCursor });
  if (nextCursor !== null) context.output.note(moreText(nextCursor));
}

const EXAMPLES = `
Examples:
  $ curt account list
  $ curt account list --search ada --json`;
