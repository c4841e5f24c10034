import { type Command, Option } from 'commander';
import { SEARCHED_TEXT } from '../../../../shared/links/fields.ts';
import type { LinkStatus } from '../../../../shared/links/link-record.ts';
import type { Context } from '../../context.ts';
import type { ServerOptions } from '../../server/connection.ts';
import { withServer } from '../../server/server-option.ts';
import { moreText, type PageOptions, readPages, withPageOptions } from '../pages.ts';
import { withoutUndefined } from './link-options.ts';
import { withoutToken } from './link-output.ts';

type ListOptions = ServerOptions &
  PageOptions & {
    search?: string;
    tag?: string;
    status?: LinkStatus;
  };

/** As in `LINK_STATUSES`, whose file takes long to load. */
export const STATUSES: LinkStatus[] = [
  'active',
  'inactive',
  'expired',
  'used_up',
  'blocked',
  'deleted',
];

export function addList(program: Command, context: Context): void {
  const command = program
    .command('list')
    .description('list links, newest first')
    .option('--search <text>', `part of ${SEARCHED_TEXT}`)
    .option('--tag <tag>', 'only links with this tag')
    .addOption(new Option('--status <status>', 'only links with this status').choices(STATUSES));
  withServer(withPageOptions(command))
    .addHelpText('after', EXAMPLES)
    .action((options: ListOptions) => run(context, options));
}

async function run(context: Context, options: ListOptions): Promise<void> {
  const { connectWithToken } = await import('../../server/connection.ts');
  const { client, token } = await connectWithToken(context, options);
  const { search, tag, status } = options;
  const query = withoutUndefined({ q: search, tag, status });
  const { data: links, nextCursor } = await readPages(options, (page) =>
    client.listLinks(token, { ...query, ...page }),
  );
  const toRows = () => [
    ['SHORT URL', 'HITS', 'STATUS', 'TARGET'],
    ...links.map(({ shortUrl, hits, status, originalUrl }) => {
      return [shortUrl, String(hits), status, originalUrl];
    }),
  ];
  context.output.table(links.map(withoutToken), toRows, { nextCursor });
  if (nextCursor !== null) context.output.note(moreText(nextCursor));
}

const EXAMPLES = `
Examples:
  $ curt list
  $ curt list --search invoice --status active
  $ curt list --all --json | jq '.data[].shortUrl'`;
