import type { Command } from 'commander';
import type { AdminAccount, EditAccountRequest } from '../../../../shared/admin/accounts.ts';
import { succeed } from '../../cli-error.ts';
import type { Context } from '../../context.ts';
import type { ServerOptions } from '../../server/connection.ts';
import { withServer } from '../../server/server-option.ts';
import { connectAsAdmin } from './connect.ts';
import { parseQuota, QUOTA_HELP } from './quota.ts';

/** The commands that change one account. */
export function addAccountEdits(account: Command, context: Context): void {
  const edit = async (
    id: string,
    options: ServerOptions,
    body: EditAccountRequest,
    text: (account: AdminAccount) => string,
  ) => {
    const { client } = await connectAsAdmin(context, options);
    const { data } = succeed(await client.editAccount(id, body));
    context.output.result(data, text(data));
  };

  withServer(
    account
      .command('quota')
      .description('set the monthly quota of an account')
      .argument('<id>', 'ID of the account')
      .argument('<quota>', QUOTA_HELP, parseQuota),
  )
    .addHelpText('after', examples('quota yuwL3dWsfxQotmv2 500', 'quota yuwL3dWsfxQotmv2 default'))
    .action((id: string, monthlyQuota: AdminAccount['monthlyQuota'], options: ServerOptions) =>
      edit(id, options, { monthlyQuota }, (changed) => {
        return `The monthly quota of ${changed.id} is ${changed.monthlyQuota ?? 'the default'}.`;
      }),
    );

  withServer(
    account
      .command('rename')
      .description('change the name of an account')
      .argument('<id>', 'ID of the account')
      .argument('<name>', 'who it is for'),
  )
    .addHelpText('after', examples('rename yuwL3dWsfxQotmv2 "Ada King"'))
    .action((id: string, name: string, options: ServerOptions) =>
      edit(id, options, { name }, (changed) => `${changed.id} is called ${changed.name}.`),
    );

  withServer(
    account
      .command('suspend')
      .description('refuse all tokens of an account; its links go on')
      .argument('<id>', 'ID of the account')
      .requiredOption('--reason <text>', 'why; the owner of the account can read it'),
  )
    .addHelpText('after', examples('suspend yuwL3dWsfxQotmv2 --reason "Left the company"'))
    .action((id: string, options: ServerOptions & { reason: string }) =>
      edit(id, options, { suspended: { reason: options.reason } }, (changed) => {
        return `${changed.id} is suspended.`;
      }),
    );

  withServer(
    account
      .command('resume')
      .description('end the suspension of an account')
      .argument('<id>', 'ID of the account'),
  )
    .addHelpText('after', examples('resume yuwL3dWsfxQotmv2'))
    .action((id: string, options: ServerOptions) =>
      edit(id, options, { suspended: null }, (changed) => `${changed.id} is not suspended.`),
    );
}

function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ curt account ${line}`).join('\n')}`;
}
