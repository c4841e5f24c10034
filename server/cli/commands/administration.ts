import { Argument } from 'commander';
import type { BlockKind } from '../../../shared/admin/blocks.ts';
import type { AdminClient } from '../../../shared/client/admin-methods.ts';
import { ADMINISTRATORS_SEARCHED_TEXT } from '../../../shared/links/fields.ts';
import { LINK_STATUSES, type LinkStatus } from '../../../shared/links/link-status.ts';
import { connectAsAdmin, type ServerOptions } from '../api/connect.ts';
import { succeed } from '../cli-error.ts';
import { type CurtCommand, type PageOptions, readPages, withoutUndefined } from '../command.ts';
import type { Context } from '../context.ts';
import { toDay, toLocalTime } from '../terminal/output.ts';
import { toAlias } from './which-links.ts';

type FindOptions = ServerOptions &
  PageOptions & { host?: string; account?: string; status?: LinkStatus };

const BLOCK_KINDS: BlockKind[] = ['link', 'host', 'account'];

/** Adds the commands for what all accounts have: links, blocks and the audit log. */
export function addAdministration(program: CurtCommand, context: Context): void {
  program
    .command('find')
    .description('search the links of all accounts')
    .argument('[text]', `words, each part of ${ADMINISTRATORS_SEARCHED_TEXT}`)
    .option('--host <host>', 'only links to this host and its subdomains')
    .option('--account <id>', 'only links of this account')
    .choiceOption('--status <status>', 'only links with this status', LINK_STATUSES)
    .pageOptions()
    .serverOption()
    .examples(
      'curt find --host bad.example',
      'curt find invoice --account yuwL3dWsfxQotmv2 --all --json',
    )
    .action(async (text: string | undefined, options: FindOptions) => {
      const { client } = await connectAsAdmin(context, options);
      const { host, account: accountId, status } = options;
      const query = withoutUndefined({ q: text, host, accountId, status });
      context.output.page(
        await readPages(options, (page) => client.listLinks({ ...query, ...page })),
        ['SHORT URL', 'ACCOUNT', 'STATUS', 'DESTINATION'],
        ({ shortUrl, accountId, status, targetUrl }) => [shortUrl, accountId, status, targetUrl],
      );
    });

  addBlocks(program, context);

  program
    .command('reports')
    .description('list the links that visitors reported, most recently reported first')
    .pageOptions()
    .serverOption()
    .examples('curt reports', 'curt reports --all --json')
    .action(async (options: ServerOptions & PageOptions) => {
      const { client } = await connectAsAdmin(context, options);
      context.output.page(
        await readPages(options, (page) => client.listReports(page)),
        ['SHORT URL', 'COUNT', 'LAST', 'REASON', 'DESTINATION'],
        ({ link, count, reports: [last] }) => [
          link.shortUrl,
          String(count),
          last ? toDay(last.time) : '',
          last?.reason ?? '',
          link.targetUrl,
        ],
      );
    });

  program
    .command('dismiss')
    .description('delete the reports of a link, which stays as it is')
    .argument('<link>', 'alias or short URL')
    .serverOption()
    .examples('curt dismiss launch')
    .action(async (text: string, options: ServerOptions) => {
      const admin = await connectAsAdmin(context, options);
      const alias = await toBlockedValue('link', text, admin);
      const { data } = succeed(await admin.client.dismissReports(alias));
      context.output.result(data, `Dismissed the reports of ${alias}.`);
    });

  program
    .command('audit')
    .description('list what administrators did, newest first')
    .pageOptions()
    .serverOption()
    .examples(
      'curt audit',
      `curt audit --all --json | jq '.data[] | select(.action == "block.add")'`,
    )
    .action((options: ServerOptions & PageOptions) => audit(context, options));
}

function addBlocks(program: CurtCommand, context: Context): void {
  withBlock(
    program.command('block').description('show a 451 page for a link, a host or an account'),
  )
    .requiredOption('--reason <text>', 'why; visitors do not see it')
    .serverOption()
    .examples(
      'curt block link launch --reason "Phishing, reported by mail"',
      'curt block host bad.example --reason Malware',
    )
    .action(async (kind: BlockKind, text: string, options: ServerOptions & { reason: string }) => {
      const admin = await connectAsAdmin(context, options);
      const value = await toBlockedValue(kind, text, admin);
      const { reason } = options;
      const { data } = succeed(await admin.client.addBlock({ kind, value, reason }));
      context.output.result(data, `Blocked the ${kind} ${data.value}.`);
    });

  withBlock(program.command('unblock').description('remove a block'))
    .serverOption()
    .examples('curt unblock host bad.example')
    .action(async (kind: BlockKind, text: string, options: ServerOptions) => {
      const admin = await connectAsAdmin(context, options);
      const value = await toBlockedValue(kind, text, admin);
      const { data } = succeed(await admin.client.removeBlock(kind, value));
      context.output.result(data, `Removed the block of the ${kind} ${value}.`);
    });

  program
    .command('blocks')
    .description('list blocks, newest first')
    .serverOption()
    .examples('curt blocks --json')
    .action(async (options: ServerOptions) => {
      const { client } = await connectAsAdmin(context, options);
      context.output.table(
        succeed(await client.listBlocks()).data,
        ['SINCE', 'KIND', 'VALUE', 'REASON'],
        ({ since, kind, value, reason }) => [toDay(since), kind, value, reason],
      );
    });
}

function withBlock(command: CurtCommand): CurtCommand {
  return command
    .addArgument(new Argument('<kind>', 'what to block').choices(BLOCK_KINDS))
    .argument('<value>', 'alias or short URL, host, or ID of the account');
}

async function toBlockedValue(
  kind: BlockKind,
  text: string,
  { client, server }: { client: AdminClient; server: string },
): Promise<string> {
  if (kind !== 'link') return text;
  return toAlias(text, server, async (address) => {
    const { data } = succeed(await client.listDomains());
    return data.find(({ host }) => address.startsWith(`${host}/`))?.baseUrl;
  });
}

async function audit(context: Context, options: ServerOptions & PageOptions): Promise<void> {
  const { client } = await connectAsAdmin(context, options);
  let damagedLines = 0;
  const page = await readPages(options, async (query) => {
    const result = await client.listAuditEntries(query);
    damagedLines += succeed(result).data.damagedLines;
    return result;
  });
  context.output.page(
    page,
    ['TIME', 'ACTION', 'TARGET', 'FAILED', 'DETAILS'],
    ({ time, action, target, details, failed }) => {
      const shown = toLocalTime(time, 'hour');
      return [shown, action, target, failed ?? '', JSON.stringify(details)];
    },
    { damagedLines },
  );
  if (damagedLines > 0) context.output.note(`Damaged lines, which are left out: ${damagedLines}`);
}
