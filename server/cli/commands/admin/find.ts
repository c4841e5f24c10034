import { type Command, Option } from 'commander';
import { SEARCHED_TEXT } from '../../../../shared/links/fields.ts';
import type { LinkStatus } from '../../../../shared/links/link-record.ts';
import type { Context } from '../../context.ts';
import type { ServerOptions } from '../../server/connection.ts';
import { withServer } from '../../server/server-option.ts';
import { withoutUndefined } from '../links/link-options.ts';
import { STATUSES } from '../links/list.ts';
import { moreText, type PageOptions, readPages, withPageOptions } from '../pages.ts';
import { connectAsAdmin } from './connect.ts';

type FindOptions = ServerOptions &
  PageOptions & { host?: string; account?: string; status?: LinkStatus };

export function addFind(program: Command, context: Context): void {
  const command = program
    .command('find')
    .description('search the links of all accounts')
    .argument('[text]', `part of ${SEARCHED_TEXT}`)
    .option('--host <host>', 'only links to this host and its subdomains')
    .option('--account <id>', 'only links of this account')
    .addOption(new Option('--status <status>', 'only links with this status').choices(STATUSES));
  withServer(withPageOptions(command))
    .addHelpText('after', EXAMPLES)
    .action((text: string | undefined, options: FindOptions) => run(context, text, options));
}

async function run(context: Context, text: string | undefined, options: FindOptions) {
  const { client } = await connectAsAdmin(context, options);
  const { host, account: accountId, status } = options;
  const query = withoutUndefined({ q: text, host, accountId, status });
  const { data, nextCursor } = await readPages(options, (page) =>
    client.listAllLinks({ ...query, ...page }),
  );
  const toRows = () => [
    ['ALIAS', 'ACCOUNT', 'STATUS', 'TARGET'],
    ...data.map(({ alias, accountId, status, originalUrl }) => {
      return [alias, accountId, status, originalUrl];
    }),
  ];
  context.output.table(data, toRows, { nextCursor });
  if (nextCursor !== null) context.output.note(moreText(nextCursor));
}

const EXAMPLES = `
Examples:
  $ curt find --host bad.example
  $ curt find invoice --account yuwL3dWsfxQotmv2 --all --json`;
