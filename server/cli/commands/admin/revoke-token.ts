import type { Command } from 'commander';
import { succeed } from '../../cli-error.ts';
import type { Context } from '../../context.ts';
import type { ServerOptions } from '../../server/connection.ts';
import { withServer } from '../../server/server-option.ts';
import { connectAsAdmin } from './connect.ts';

export function addAccountRevoke(account: Command, context: Context): void {
  const command = account
    .command('revoke')
    .description('revoke a token of an account, at once')
    .argument('<id>', 'ID of the account')
    .argument('<token>', 'ID of the token, from `curt account tokens`');
  withServer(command)
    .addHelpText('after', EXAMPLES)
    .action((id: string, tokenId: string, options: ServerOptions) =>
      run(context, id, tokenId, options),
    );
}

async function run(context: Context, id: string, tokenId: string, options: ServerOptions) {
  const { client } = await connectAsAdmin(context, options);
  succeed(await client.revokeAccountToken(id, tokenId));
  context.output.result(null, `Revoked the token ${tokenId}.`);
}

const EXAMPLES = `
Examples:
  $ curt account revoke yuwL3dWsfxQotmv2 Zr0kd93hQm1xAb4P`;
