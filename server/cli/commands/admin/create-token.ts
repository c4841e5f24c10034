import { type Command, Option } from 'commander';
import type { NewTokenRequest } from '../../../../shared/accounts/account-tokens.ts';
import { succeed } from '../../cli-error.ts';
import type { Context } from '../../context.ts';
import type { ServerOptions } from '../../server/connection.ts';
import { withServer } from '../../server/server-option.ts';
import { connectAsAdmin } from './connect.ts';

type TokenOptions = ServerOptions & { name: string; scope: NewTokenRequest['scope'] };

export function addAccountToken(account: Command, context: Context): void {
  const command = account
    .command('token')
    .description('create another token of an account and print it')
    .argument('<id>', 'ID of the account')
    .requiredOption('--name <name>', 'what it is for')
    .addOption(
      new Option('--scope <scope>', 'what it may do')
        .choices(['all', 'create', 'read'])
        .default('all'),
    );
  withServer(command)
    .addHelpText('after', EXAMPLES)
    .action((id: string, options: TokenOptions) => run(context, id, options));
}

async function run(context: Context, id: string, options: TokenOptions): Promise<void> {
  const { client } = await connectAsAdmin(context, options);
  const { name, scope } = options;
  const { data } = succeed(await client.createAccountToken(id, { name, scope }));
  context.output.note('Pass the token on: it is shown only now.');
  context.output.result(data, data.token);
}

const EXAMPLES = `
Examples:
  $ curt account token yuwL3dWsfxQotmv2 --name "new laptop"
  $ curt account token yuwL3dWsfxQotmv2 --name reports --scope read`;
