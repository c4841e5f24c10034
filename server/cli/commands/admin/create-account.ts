import type { Command } from 'commander';
import type { AdminAccount } from '../../../../shared/admin/accounts.ts';
import { succeed } from '../../cli-error.ts';
import type { Context } from '../../context.ts';
import type { ServerOptions } from '../../server/connection.ts';
import { withServer } from '../../server/server-option.ts';
import { connectAsAdmin } from './connect.ts';
import { parseQuota, QUOTA_HELP } from './quota.ts';

type CreateOptions = ServerOptions & { quota?: AdminAccount['monthlyQuota'] };

export function addAccountCreate(account: Command, context: Context): void {
  const command = account
    .command('create')
    .description('create an account for somebody and print its token')
    .argument('<name>', 'who it is for')
    .option('--quota <quota>', QUOTA_HELP, parseQuota);
  withServer(command)
    .addHelpText('after', EXAMPLES)
    .action((name: string, options: CreateOptions) => run(context, name, options));
}

async function run(context: Context, name: string, options: CreateOptions): Promise<void> {
  const { client } = await connectAsAdmin(context, options);
  const { quota } = options;
  const body = { name, ...(quota !== undefined && { monthlyQuota: quota }) };
  const { data } = succeed(await client.createAccount(body));
  context.output.note(`Created the account ${data.id}. Pass its token on: it is shown only now.`);
  context.output.result(data, data.token);
}

const EXAMPLES = `
Examples:
  $ curt account create "Ada Lovelace"
  $ curt account create bot --quota unlimited --json | jq -r .data.token`;
