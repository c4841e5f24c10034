import type { Command } from 'commander';
import { CliError, succeed } from '../../cli-error.ts';
import type { Context } from '../../context.ts';
import type { ServerOptions } from '../../server/connection.ts';
import { withServer } from '../../server/server-option.ts';
import { withoutToken } from './link-output.ts';
import { toOwnAlias } from './own-alias.ts';

type DeleteOptions = ServerOptions & { purge?: boolean; restore?: boolean };

export function addDelete(program: Command, context: Context): void {
  const command = program
    .command('delete')
    .description('delete a link; it can be restored for 30 days')
    .argument('<link>', 'alias or short URL');
  withServer(command)
    .option('--purge', 'erase the link now, for good')
    .option('--restore', 'restore a link that was deleted')
    .addHelpText('after', EXAMPLES)
    .action((link: string, options: DeleteOptions) => run(context, link, options));
}

async function run(context: Context, text: string, options: DeleteOptions): Promise<void> {
  const { purge, restore } = options;
  if (purge && restore) {
    throw new CliError('usage', 'Choose one of --purge and --restore.', 'usage');
  }
  const { connectWithToken } = await import('../../server/connection.ts');
  const { client, server, token } = await connectWithToken(context, options);
  const link = { alias: await toOwnAlias(text, { client, server, token }), token };
  const { data } = succeed(
    await (restore
      ? client.restoreLink(link)
      : purge
        ? client.purgeLink(link)
        : client.deleteLink(link)),
  );
  const done = restore ? 'Restored' : purge ? 'Erased' : 'Deleted';
  context.output.result(data && withoutToken(data), `${done} ${link.alias}.`);
}

const EXAMPLES = `
Examples:
  $ curt delete launch
  $ curt delete launch --restore
  $ curt delete launch --purge`;
