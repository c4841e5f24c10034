import type { Command } from 'commander';
import { succeed } from '../../cli-error.ts';
import type { Context } from '../../context.ts';
import type { ServerOptions } from '../../server/connection.ts';
import { withServer } from '../../server/server-option.ts';
import { connectAsAdmin } from './connect.ts';

export function addAccountTokens(account: Command, context: Context): void {
  const command = account
    .command('tokens')
    .description('list the tokens of an account: names and last uses, not the tokens themselves')
    .argument('<id>', 'ID of the account');
  withServer(command)
    .addHelpText('after', EXAMPLES)
    .action((id: string, options: ServerOptions) => run(context, id, options));
}

async function run(context: Context, id: string, options: ServerOptions): Promise<void> {
  const { client } = await connectAsAdmin(context, options);
  const { data } = succeed(await client.listAccountTokens(id));
  context.output.table(data, () => [
    ['ID', 'SCOPE', 'CREATED', 'LAST USED', 'NAME'],
    ...data.map((token) => {
      return [token.id, token.scope, token.created, token.lastUsedOn ?? 'never', token.name];
    }),
  ]);
}

const EXAMPLES = `
Examples:
  $ curt account tokens yuwL3dWsfxQotmv2
  $ curt account tokens yuwL3dWsfxQotmv2 --json | jq '.data[] | select(.lastUsedOn < "2030")'`;
