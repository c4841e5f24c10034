import type { Command } from 'commander';
import { CliError, succeed } from '../../cli-error.ts';
import type { Context } from '../../context.ts';
import type { ServerOptions } from '../../server/connection.ts';
import { withServer } from '../../server/server-option.ts';
import { withProgress } from '../../terminal/progress.ts';
import { connectAsAdmin } from './connect.ts';

export function addAccountReassign(account: Command, context: Context): void {
  const command = account
    .command('reassign')
    .description('give all links of an account to another one')
    .argument('<id>', 'ID of the account that has the links')
    .argument('<to>', 'ID of the account that gets them');
  withServer(command)
    .addHelpText('after', EXAMPLES)
    .action((id: string, to: string, options: ServerOptions) => run(context, id, to, options));
}

async function run(context: Context, id: string, to: string, options: ServerOptions) {
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

const EXAMPLES = `
Examples:
  $ curt account reassign yuwL3dWsfxQotmv2 Zr0kd93hQm1xAb4P`;
