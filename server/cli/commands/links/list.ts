import { type Command, Option } from 'commander';
import { LIST_LIMIT_MAX } from '../../../../shared/limits.ts';
import type { LinkRecord, LinkStatus } from '../../../../shared/links/link-record.ts';
import { succeed } from '../../cli-error.ts';
import type { Context } from '../../context.ts';
import type { ServerOptions } from '../../server/connection.ts';
import { withServer } from '../../server/server-option.ts';
import { toTable } from '../../terminal/table.ts';
import { parseNumber, withoutUndefined } from './link-options.ts';
import { withoutToken } from './link-output.ts';

type ListOptions = ServerOptions & {
  search?: string;
  tag?: string;
  status?: LinkStatus;
  limit?: number;
  cursor?: string;
  all?: boolean;
};

/** As in `LINK_STATUSES`, whose file takes long to load. */
const STATUSES: LinkStatus[] = ['active', 'inactive', 'expired', 'used_up', 'blocked', 'deleted'];

export function addList(program: Command, context: Context): void {
  withServer(program.command('list').description('list links, newest first'))
    .option('--search <text>', 'part of an alias, the title, the target or a tag')
    .option('--tag <tag>', 'only links with this tag')
    .addOption(new Option('--status <status>', 'only links with this status').choices(STATUSES))
    .option('--limit <number>', 'links on a page, up to 100 (default: 50)', parseNumber)
    .option('--cursor <cursor>', 'nextCursor of the page before')
    .option('--all', 'all pages')
    .addHelpText('after', EXAMPLES)
    .action((options: ListOptions) => run(context, options));
}

async function run(context: Context, options: ListOptions): Promise<void> {
  const { connectWithToken } = await import('../../server/connection.ts');
  const { client, token } = await connectWithToken(context, options);
  const { search, tag, status, all } = options;
  const limit = options.limit ?? (all ? LIST_LIMIT_MAX : undefined);
  const links: LinkRecord[] = [];
  let cursor: string | undefined = options.cursor;
  let nextCursor: string | null;
  do {
    const query = withoutUndefined({ q: search, tag, status, limit, cursor });
    const { data: page } = succeed(await client.listLinks(token, query));
    links.push(...page.data);
    ({ nextCursor } = page);
    cursor = nextCursor ?? undefined;
  } while (all && cursor !== undefined);
  const rows = links.map(({ shortUrl, hits, status, originalUrl }) => {
    return [shortUrl, String(hits), status, originalUrl];
  });
  context.output.result(
    links.map(withoutToken),
    toTable([['SHORT URL', 'HITS', 'STATUS', 'TARGET'], ...rows]),
    { nextCursor },
  );
  if (nextCursor !== null) context.output.note(`There are more: --all, or --cursor ${nextCursor}`);
}

const EXAMPLES = `
Examples:
  $ curt list
  $ curt list --search invoice --status active
  $ curt list --all --json | jq '.data[].shortUrl'`;
