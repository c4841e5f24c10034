import { InvalidArgumentError, Option } from 'commander';
import type { NewTokenRequest } from '../../../shared/accounts/account-tokens.ts';
import type { AdminAccount, EditAccountRequest } from '../../../shared/admin/accounts.ts';
import { connectAsAdmin, type ServerOptions } from '../api/connect.ts';
import { CliError, succeed } from '../cli-error.ts';
import { type CurtCommand, type PageOptions, readPages, withoutUndefined } from '../command.ts';
import type { Context } from '../context.ts';
import { toDay } from '../terminal/output.ts';
import { withProgress } from '../terminal/prompts.ts';
import { type ExportOptions, exportTo, withExportOptions } from './transfer.ts';

type Quota = AdminAccount['monthlyQuota'];
type CreateOptions = ServerOptions & { quota?: Quota };
type ListOptions = ServerOptions & PageOptions & { search?: string };

const QUOTA_HELP = 'links a month: a number, "unlimited", or "default"';

export function addAccounts(program: CurtCommand, context: Context): void {
  const accounts = program.command('account').description('manage accounts, as the administrator');

  accounts
    .command('create')
    .description('create an account for somebody and print its token')
    .argument('<name>', 'who it is for')
    .option('--quota <quota>', QUOTA_HELP, parseQuota)
    .serverOption()
    .examples(
      'curt account create "Ada Lovelace"',
      'curt account create bot --quota unlimited --json | jq -r .data.token',
    )
    .action(async (name: string, options: CreateOptions) => {
      const { client } = await connectAsAdmin(context, options);
      const body = withoutUndefined({ monthlyQuota: options.quota });
      const { data } = succeed(await client.createAccount({ name, ...body }));
      const created = `Created the account ${data.id}. Pass its token on: it is shown only now.`;
      context.output.note(created);
      context.output.result(data, data.token);
    });

  accounts
    .command('list')
    .description('list accounts, newest first')
    .option('--search <text>', 'part of the name or the ID')
    .pageOptions()
    .serverOption()
    .examples('curt account list', 'curt account list --search ada --json')
    .action(async (options: ListOptions) => {
      const { client } = await connectAsAdmin(context, options);
      const query = withoutUndefined({ q: options.search });
      context.output.page(
        await readPages(options, (page) => client.listAccounts({ ...query, ...page })),
        ['ID', 'LINKS', 'QUOTA', 'STATE', 'NAME'],
        ({ id, links, monthlyQuota, suspended, blocked, name }) => {
          const state = blocked ? 'blocked' : suspended ? 'suspended' : 'active';
          return [id, String(links), String(monthlyQuota ?? 'default'), state, name];
        },
      );
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
      await exportTo(context, file, options, (query) => client.exportLinks(id, query));
    });
}

/** The commands that change one account. */
function addEdits(accounts: CurtCommand, context: Context): void {
  const edit = async (
    id: string,
    options: ServerOptions,
    body: EditAccountRequest,
    toText: (account: AdminAccount) => string,
  ) => {
    const { client } = await connectAsAdmin(context, options);
    const { data } = succeed(await client.editAccount(id, body));
    context.output.result(data, toText(data));
  };

  accounts
    .command('quota')
    .description('set the monthly quota of an account')
    .argument('<id>', 'ID of the account')
    .argument('<quota>', QUOTA_HELP, parseQuota)
    .serverOption()
    .examples(
      'curt account quota yuwL3dWsfxQotmv2 500',
      'curt account quota yuwL3dWsfxQotmv2 default',
    )
    .action((id: string, quota: Quota, options: ServerOptions) =>
      edit(id, options, { monthlyQuota: quota }, ({ id, monthlyQuota }) => {
        return `The monthly quota of ${id} is ${monthlyQuota ?? 'the default'}.`;
      }),
    );

  accounts
    .command('rename')
    .description('change the name of an account')
    .argument('<id>', 'ID of the account')
    .argument('<name>', 'who it is for')
    .serverOption()
    .examples('curt account rename yuwL3dWsfxQotmv2 "Ada King"')
    .action((id: string, name: string, options: ServerOptions) =>
      edit(id, options, { name }, ({ id, name }) => `${id} is called ${name}.`),
    );

  accounts
    .command('suspend')
    .description('refuse all tokens of an account; its links keep working')
    .argument('<id>', 'ID of the account')
    .requiredOption('--reason <text>', 'why; the owner of the account can read it')
    .serverOption()
    .examples('curt account suspend yuwL3dWsfxQotmv2 --reason "Left the company"')
    .action((id: string, options: ServerOptions & { reason: string }) =>
      edit(id, options, { suspended: { reason: options.reason } }, ({ id }) => {
        return `${id} is suspended.`;
      }),
    );

  accounts
    .command('resume')
    .description('end the suspension of an account')
    .argument('<id>', 'ID of the account')
    .serverOption()
    .examples('curt account resume yuwL3dWsfxQotmv2')
    .action((id: string, options: ServerOptions) =>
      edit(id, options, { suspended: null }, ({ id }) => `${id} is not suspended.`),
    );
}

async function reassign(context: Context, id: string, to: string, options: ServerOptions) {
  const { client } = await connectAsAdmin(context, options);
  const moved = await withProgress(context, 'Moving links', async (report) => {
    let sum = 0;
    for (;;) {
      // If it is interrupted, the same command continues.
      const { data } = succeed(await client.reassignLinks(id, to));
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

type TokenOptions = ServerOptions & { name: string; scope: NewTokenRequest['scope'] };

function addAccountTokens(accounts: CurtCommand, context: Context): void {
  accounts
    .command('token')
    .description('create another token of an account and print it')
    .argument('<id>', 'ID of the account')
    .requiredOption('--name <name>', 'what it is for')
    .addOption(new Option('--scope <scope>', 'what it may do').choices(SCOPES).default('all'))
    .serverOption()
    .examples(
      'curt account token yuwL3dWsfxQotmv2 --name "new laptop"',
      'curt account token yuwL3dWsfxQotmv2 --name reports --scope read',
    )
    .action(async (id: string, options: TokenOptions) => {
      const { client } = await connectAsAdmin(context, options);
      const { name, scope } = options;
      const { data } = succeed(await client.createToken(id, { name, scope }));
      context.output.note('Pass the token on: it is shown only now.');
      context.output.result(data, data.token);
    });

  accounts
    .command('tokens')
    .description('list the tokens of an account: names and last uses, not the tokens themselves')
    .argument('<id>', 'ID of the account')
    .serverOption()
    .examples(
      'curt account tokens yuwL3dWsfxQotmv2',
      `curt account tokens yuwL3dWsfxQotmv2 --json | jq '.data[] | select(.lastUsedOn < "2030")'`,
    )
    .action(async (id: string, options: ServerOptions) => {
      const { client } = await connectAsAdmin(context, options);
      context.output.table(
        succeed(await client.listTokens(id)).data,
        ['ID', 'SCOPE', 'CREATED', 'LAST USED', 'NAME'],
        ({ id, scope, created, lastUsedOn, name }) => {
          return [id, scope, toDay(created), lastUsedOn ?? 'never', name];
        },
      );
    });

  accounts
    .command('revoke')
    .description('revoke a token of an account, at once')
    .argument('<id>', 'ID of the account')
    .argument('<token>', 'ID of the token, from `curt account tokens`')
    .serverOption()
    .examples('curt account revoke yuwL3dWsfxQotmv2 Zr0kd93hQm1xAb4P')
    .action(async (id: string, tokenId: string, options: ServerOptions) => {
      const { client } = await connectAsAdmin(context, options);
      succeed(await client.revokeToken(id, tokenId));
      context.output.result(null, `Revoked the token ${tokenId}.`);
    });
}
