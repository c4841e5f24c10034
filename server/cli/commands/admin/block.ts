import { Argument, type Command } from 'commander';
import type { BlockKind } from '../../../../shared/admin/blocks.ts';
import type { AdminClient } from '../../../../shared/client/admin-methods.ts';
import { succeed } from '../../cli-error.ts';
import type { Context } from '../../context.ts';
import type { ServerOptions } from '../../server/connection.ts';
import { withServer } from '../../server/server-option.ts';
import { toAlias } from '../links/link-argument.ts';
import { connectAsAdmin } from './connect.ts';

const KINDS: BlockKind[] = ['link', 'host', 'account'];

export function addBlocks(program: Command, context: Context): void {
  withServer(
    withBlock(
      program.command('block').description('show a 451 page for a link, a host or an account'),
    ).requiredOption('--reason <text>', 'why; visitors do not see it'),
  )
    .addHelpText('after', BLOCK_EXAMPLES)
    .action(async (kind: BlockKind, text: string, options: ServerOptions & { reason: string }) => {
      const admin = await connectAsAdmin(context, options);
      const { client } = admin;
      const value = await toValue(kind, text, admin);
      const { data } = succeed(await client.block({ kind, value, reason: options.reason }));
      context.output.result(data, `Blocked the ${kind} ${data.value}.`);
    });

  withServer(withBlock(program.command('unblock').description('remove a block')))
    .addHelpText('after', '\nExamples:\n  $ curt unblock host bad.example')
    .action(async (kind: BlockKind, text: string, options: ServerOptions) => {
      const admin = await connectAsAdmin(context, options);
      const { client } = admin;
      const value = await toValue(kind, text, admin);
      const { data } = succeed(await client.unblock(kind, value));
      context.output.result(data, `Removed the block of the ${kind} ${value}.`);
    });

  withServer(program.command('blocks').description('list blocks, newest first'))
    .addHelpText('after', '\nExamples:\n  $ curt blocks --json')
    .action(async (options: ServerOptions) => {
      const { client } = await connectAsAdmin(context, options);
      const { data } = succeed(await client.listBlocks());
      context.output.table(data, () => [
        ['SINCE', 'KIND', 'VALUE', 'REASON'],
        ...data.map(({ since, kind, value, reason }) => [since, kind, value, reason]),
      ]);
    });
}

function withBlock(command: Command): Command {
  return command
    .addArgument(new Argument('<kind>', 'what to block').choices(KINDS))
    .argument('<value>', 'alias or short URL, host, or ID of the account');
}

async function toValue(
  kind: BlockKind,
  text: string,
  { client, server }: { client: AdminClient; server: string },
): Promise<string> {
  if (kind !== 'link') return text;
  return toAlias(text, server, async (alias) => {
    // All short URLs of a server begin with the same origin.
    const { data } = succeed(await client.listAllLinks({ q: alias, limit: 1 }));
    return data.data[0]?.shortUrl;
  });
}

const BLOCK_EXAMPLES = `
Examples:
  $ curt block link launch --reason "Phishing, reported by mail"
  $ curt block host bad.example --reason Malware`;
