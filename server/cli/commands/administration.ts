import { Argument } from 'commander';
import type { BlockKind } from '../../../shared/admin/blocks.ts';
import type { AdminClient } from '../../../shared/api/client.ts';
import { linkAt } from '../../../shared/links/link-address.ts';
import { LINK_STATUSES, type LinkStatus } from '../../../shared/links/link-status.ts';
import { ADMINISTRATORS_SEARCHED_TEXT } from '../../../shared/links/plain-fields.ts';
import { connectAsAdmin, type ServerOptions } from '../api/connect.ts';
import { succeed } from '../cli-error.ts';
import { type CurtCommand, type PageOptions, readPages, withoutUndefined } from '../command.ts';
import type { Context } from '../context.ts';
import { toDay, toLocalTime } from '../terminal/output.ts';
import { simpleCommands } from './simple-commands.ts';
import { toAlias } from './which-links.ts';

type FindOptions = { host?: string; account?: string; status?: LinkStatus };

const BLOCK_KINDS: BlockKind[] = ['link', 'host', 'account'];

/** Adds the commands for what all accounts have: links, blocks and the audit log. */
export function addAdministration(program: CurtCommand, context: Context): void {
  const { action, pages } = simpleCommands(context, connectAsAdmin);

  pages(program, 'find', {
    description: 'search the links of all accounts',
    setUp: (command) =>
      command
        .argument('[text]', `words, each part of ${ADMINISTRATORS_SEARCHED_TEXT}`)
        .option('--host <host>', 'only links to this host and its subdomains')
        .option('--account <id>', 'only links of this account')
        .choiceOption('--status <status>', 'only links with this status', LINK_STATUSES),
    examples: [
      'curt find --host bad.example',
      'curt find invoice --account yuwL3dWsfxQotmv2 --all --json',
    ],
    read: (client, page, q: string | undefined, { host, account, status }: FindOptions) =>
      client.adminListLinks({
        ...withoutUndefined({ q, host, accountId: account, status }),
        ...page,
      }),
    header: ['SHORT URL', 'ACCOUNT', 'STATUS', 'DESTINATION'],
    toCells: ({ shortUrl, accountId, status, targetUrl }) => [
      shortUrl,
      accountId,
      status,
      targetUrl,
    ],
  });

  addBlocks(program, context);

  pages(program, 'reports', {
    description: 'list the links that visitors reported, most recently reported first',
    examples: ['curt reports', 'curt reports --all --json'],
    read: (client, page) => client.adminListReports(page),
    header: ['SHORT URL', 'COUNT', 'LAST', 'REASON', 'DESTINATION'],
    toCells: ({ link, count, reports: [last] }) => [
      link.shortUrl,
      String(count),
      last ? toDay(last.time) : '',
      last?.reason ?? '',
      link.targetUrl,
    ],
  });

  action(program, 'dismiss', {
    description: 'delete the reports of a link, which stays as it is',
    setUp: (command) => command.argument('<link>', 'alias or short URL'),
    examples: ['curt dismiss launch'],
    async act(admin, text: string) {
      const alias = await toBlockedValue('link', text, admin);
      const { data } = succeed(await admin.client.adminDismissReports(linkAt(alias)));
      return { data, text: `Dismissed the reports of ${alias}.` };
    },
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
  const { action, list } = simpleCommands(context, connectAsAdmin);
  const named = (command: CurtCommand) =>
    command
      .addArgument(new Argument('<kind>', 'what to block').choices(BLOCK_KINDS))
      .argument('<value>', 'alias or short URL, host, or ID of the account');

  action(program, 'block', {
    description: 'show a 451 page for a link, a host or an account',
    setUp: (command) =>
      named(command).requiredOption('--reason <text>', 'why; visitors do not see it'),
    examples: [
      'curt block link launch --reason "Phishing, reported by mail"',
      'curt block host bad.example --reason Malware',
    ],
    async act(admin, kind: BlockKind, text: string, { reason }: { reason: string }) {
      const value = await toBlockedValue(kind, text, admin);
      const { data } = succeed(await admin.client.adminAddBlock({ body: { kind, value, reason } }));
      return { data, text: `Blocked the ${kind} ${data.value}.` };
    },
  });

  action(program, 'unblock', {
    description: 'remove a block',
    setUp: named,
    examples: ['curt unblock host bad.example'],
    async act(admin, kind: BlockKind, text: string) {
      const value = await toBlockedValue(kind, text, admin);
      const { data } = succeed(await admin.client.adminRemoveBlock({ kind, value }));
      return { data, text: `Removed the block of the ${kind} ${value}.` };
    },
  });

  list(program, 'blocks', {
    description: 'list blocks, newest first',
    examples: ['curt blocks --json'],
    read: (client) => client.adminListBlocks(),
    header: ['SINCE', 'KIND', 'VALUE', 'REASON'],
    toCells: ({ since, kind, value, reason }) => [toDay(since), kind, value, reason],
  });
}

async function toBlockedValue(
  kind: BlockKind,
  text: string,
  { client, server }: { client: AdminClient; server: string },
): Promise<string> {
  if (kind !== 'link') return text;
  return toAlias(text, server, async (address) => {
    const { data } = succeed(await client.adminListDomains());
    return data.find(({ host }) => address.startsWith(`${host}/`))?.baseUrl;
  });
}

async function audit(context: Context, options: ServerOptions & PageOptions): Promise<void> {
  const { client } = await connectAsAdmin(context, options);
  let damagedLines = 0;
  const page = await readPages(options, async (query) => {
    const result = await client.adminListAuditEntries(query);
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
