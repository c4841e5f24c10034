import { InvalidArgumentError, Option } from 'commander';
import type { NewTokenRequest } from '../../../shared/accounts/account-tokens.ts';
import type { AdminAccount, EditAccountRequest } from '../../../shared/admin/accounts.ts';
import type { AdminClient } from '../../../shared/api/client.ts';
import { connectAsAdmin, type ServerOptions } from '../api/connect.ts';
import { CliError, succeed } from '../cli-error.ts';
import { type CurtCommand, withoutUndefined } from '../command.ts';
import type { Context } from '../context.ts';
import { toDay } from '../terminal/output.ts';
import { withProgress } from '../terminal/prompts.ts';
import { simpleCommands } from './simple-commands.ts';
import { type ExportOptions, exportTo, withExportOptions } from './transfer.ts';

type Quota = AdminAccount['monthlyQuota'];

const ID = ['<id>', 'ID of the account'] as const;
const QUOTA_HELP = 'links a month: a number, "unlimited", or "default"';

export function addAccounts(program: CurtCommand, context: Context): void {
  const accounts = program.command('account').description('manage accounts, as the administrator');

  const { action, pages } = simpleCommands(context, connectAsAdmin);

  action(accounts, 'create', {
    description: 'create an account for somebody and print its token',
    setUp: (command) =>
      command.argument('<name>', 'who it is for').option('--quota <quota>', QUOTA_HELP, parseQuota),
    examples: [
      'curt account create "Ada Lovelace"',
      'curt account create bot --quota unlimited --json | jq -r .data.token',
    ],
    async act({ client }, name: string, { quota }: { quota?: Quota }) {
      const body = { name, ...withoutUndefined({ monthlyQuota: quota }) };
      const { data } = succeed(await client.adminCreateAccount({ body }));
      const note = `Created the account ${data.id}. Pass its token on: it is shown only now.`;
      return { data, text: data.token, note };
    },
  });

  pages(accounts, 'list', {
    description: 'list accounts, newest first',
    setUp: (command) => command.option('--search <text>', 'part of the name or the ID'),
    examples: ['curt account list', 'curt account list --search ada --json'],
    read: (client, page, { search }: { search?: string }) =>
      client.adminListAccounts({ ...withoutUndefined({ q: search }), ...page }),
    header: ['ID', 'LINKS', 'QUOTA', 'STATE', 'NAME'],
    toCells: ({ id, links, monthlyQuota, blocked, suspended, name }) => [
      id,
      String(links),
      String(monthlyQuota ?? 'default'),
      blocked ? 'blocked' : suspended ? 'suspended' : 'active',
      name,
    ],
  });

  addEdits(accounts, context);
  addAccountTokens(accounts, context);

  accounts
    .command('reassign')
    .description('move all links of an account to another account')
    .argument('<id>', 'ID of the account that has the links')
    .argument('<to>', 'ID of the account that gets them')
    .serverOption()
    .examples('curt account reassign yuwL3dWsfxQotmv2 Zr0kd93hQm1xAb4P')
    .action((id: string, to: string, options: ServerOptions) => reassign(context, id, to, options));

  const exportCommand = accounts
    .command('export')
    .description('save all links of an account in a file')
    .argument('<id>', 'ID of the account')
    .argument('<file>', 'file to write, or "-" for standard output');
  withExportOptions(exportCommand)
    .examples('curt account export yuwL3dWsfxQotmv2 links.json')
    .action(async (id: string, file: string, options: ExportOptions) => {
      const { client } = await connectAsAdmin(context, options);
      await exportTo(context, file, options, (query) => client.adminExportLinks({ id, ...query }));
    });
}

/** The commands that change one account. */
function addEdits(accounts: CurtCommand, context: Context): void {
  const { action } = simpleCommands(context, connectAsAdmin);
  async function edit(
    client: AdminClient,
    id: string,
    body: EditAccountRequest,
    toText: (account: AdminAccount) => string,
  ) {
    const { data } = succeed(await client.adminEditAccount({ id, body }));
    return { data, text: toText(data) };
  }

  action(accounts, 'quota', {
    description: 'set the monthly quota of an account',
    setUp: (command) => command.argument(...ID).argument('<quota>', QUOTA_HELP, parseQuota),
    examples: [
      'curt account quota yuwL3dWsfxQotmv2 500',
      'curt account quota yuwL3dWsfxQotmv2 default',
    ],
    act: ({ client }, id: string, quota: Quota) =>
      edit(client, id, { monthlyQuota: quota }, (account) => {
        return `The monthly quota of ${account.id} is ${account.monthlyQuota ?? 'the default'}.`;
      }),
  });

  action(accounts, 'rename', {
    description: 'change the name of an account',
    setUp: (command) => command.argument(...ID).argument('<name>', 'who it is for'),
    examples: ['curt account rename yuwL3dWsfxQotmv2 "Ada King"'],
    act: ({ client }, id: string, name: string) =>
      edit(client, id, { name }, (account) => `${account.id} is called ${account.name}.`),
  });

  action(accounts, 'suspend', {
    description: 'refuse all tokens of an account; its links keep working',
    setUp: (command) =>
      command
        .argument(...ID)
        .requiredOption('--reason <text>', 'why; the owner of the account can read it'),
    examples: ['curt account suspend yuwL3dWsfxQotmv2 --reason "Left the company"'],
    act: ({ client }, id: string, { reason }: { reason: string }) =>
      edit(client, id, { suspended: { reason } }, (account) => `${account.id} is suspended.`),
  });

  action(accounts, 'resume', {
    description: 'end the suspension of an account',
    setUp: (command) => command.argument(...ID),
    examples: ['curt account resume yuwL3dWsfxQotmv2'],
    act: ({ client }, id: string) =>
      edit(client, id, { suspended: null }, (account) => `${account.id} is not suspended.`),
  });
}

async function reassign(context: Context, id: string, to: string, options: ServerOptions) {
  const { client } = await connectAsAdmin(context, options);
  const moved = await withProgress(context, 'Moving links', async (report) => {
    let sum = 0;
    for (;;) {
      // If it is interrupted, the same command continues.
      const { data } = succeed(await client.adminReassignLinks({ id, body: { to } }));
      sum += data.moved;
      report(sum, sum + data.remaining);
      if (data.remaining === 0) return sum;
      if (data.moved === 0) {
        const text = `Links moved to ${to}: ${sum}. Links that could not be moved: ${data.remaining}`;
        throw new CliError('links_remain', text, 'failed', {
          report: { moved: sum, remaining: data.remaining },
        });
      }
    }
  });
  context.output.result({ moved }, `Links moved to ${to}: ${moved}`);
}

/** The server checks the range. */
function parseQuota(text: string): Quota {
  if (text === 'unlimited') return text;
  if (text === 'default') return null;
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Must be a number, "unlimited" or "default".');
}

const SCOPES: NewTokenRequest['scope'][] = ['all', 'create', 'read'];

type TokenOptions = { name: string; scope: NewTokenRequest['scope'] };

function addAccountTokens(accounts: CurtCommand, context: Context): void {
  const { action, list } = simpleCommands(context, connectAsAdmin);

  action(accounts, 'token', {
    description: 'create another token of an account and print it',
    setUp: (command) =>
      command
        .argument(...ID)
        .requiredOption('--name <name>', 'what it is for')
        .addOption(new Option('--scope <scope>', 'what it may do').choices(SCOPES).default('all')),
    examples: [
      'curt account token yuwL3dWsfxQotmv2 --name "new laptop"',
      'curt account token yuwL3dWsfxQotmv2 --name reports --scope read',
    ],
    async act({ client }, id: string, { name, scope }: TokenOptions) {
      const { data } = succeed(await client.adminCreateToken({ id, body: { name, scope } }));
      return { data, text: data.token, note: 'Pass the token on: it is shown only now.' };
    },
  });

  list(accounts, 'tokens', {
    description: 'list the tokens of an account: names and last uses, not the tokens themselves',
    setUp: (command) => command.argument(...ID),
    examples: [
      'curt account tokens yuwL3dWsfxQotmv2',
      `curt account tokens yuwL3dWsfxQotmv2 --json | jq '.data[] | select(.lastUsedOn < "2030")'`,
    ],
    read: (client, id: string) => client.adminListTokens({ id }),
    header: ['ID', 'SCOPE', 'CREATED', 'LAST USED', 'NAME'],
    toCells: ({ id, scope, created, lastUsedOn, name }) => [
      id,
      scope,
      toDay(created),
      lastUsedOn ?? 'never',
      name,
    ],
  });

  action(accounts, 'revoke', {
    description: 'revoke a token of an account, at once',
    setUp: (command) =>
      command.argument(...ID).argument('<token>', 'ID of the token, from `curt account tokens`'),
    examples: ['curt account revoke yuwL3dWsfxQotmv2 Zr0kd93hQm1xAb4P'],
    async act({ client }, id: string, tokenId: string) {
      succeed(await client.adminRevokeToken({ id, tokenId }));
      return { data: null, text: `Revoked the token ${tokenId}.` };
    },
  });
}
