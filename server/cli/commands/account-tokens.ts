import { Option } from 'commander';
import type { NewTokenRequest } from '../../../shared/accounts/account-tokens.ts';
import { connectAsAdmin, type ServerOptions } from '../api/connect.ts';
import { succeed } from '../cli-error.ts';
import type { CurtCommand } from '../command.ts';
import type { Context } from '../context.ts';

const SCOPES: NewTokenRequest['scope'][] = ['all', 'create', 'read'];

type TokenOptions = ServerOptions & { name: string; scope: NewTokenRequest['scope'] };

/** The commands of `curt account` for the tokens of an account. */
export function addAccountTokens(accounts: CurtCommand, context: Context): void {
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
      const { data } = succeed(await client.createAccountToken(id, { name, scope }));
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
        succeed(await client.listAccountTokens(id)).data,
        ['ID', 'SCOPE', 'CREATED', 'LAST USED', 'NAME'],
        ({ id, scope, created, lastUsedOn, name }) => {
          return [id, scope, created, lastUsedOn ?? 'never', name];
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
      succeed(await client.revokeAccountToken(id, tokenId));
      context.output.result(null, `Revoked the token ${tokenId}.`);
    });
}
