import type { Command } from 'commander';
import { succeed } from '../../cli-error.ts';
import type { Context } from '../../context.ts';
import type { ServerOptions } from '../../server/connection.ts';
import { withServer } from '../../server/server-option.ts';
import { moreText, type PageOptions, readPages, withPageOptions } from '../pages.ts';
import { connectAsAdmin } from './connect.ts';

type AuditOptions = ServerOptions & PageOptions;

export function addAudit(program: Command, context: Context): void {
  const command = program
    .command('audit')
    .description('list what administrators did, newest first');
  withServer(withPageOptions(command))
    .addHelpText('after', EXAMPLES)
    .action((options: AuditOptions) => run(context, options));
}

async function run(context: Context, options: AuditOptions): Promise<void> {
  const { client } = await connectAsAdmin(context, options);
  let damagedLines = 0;
  const { data, nextCursor } = await readPages(options, async (page) => {
    const result = await client.readAudit(page);
    damagedLines = succeed(result).data.damagedLines;
    return result;
  });
  const toRows = () => [
    ['TIME', 'ACTION', 'TARGET', 'FAILED', 'DETAILS'],
    ...data.map(({ time, action, target, details, failed }) => {
      return [time, action, target, failed ?? '', JSON.stringify(details)];
    }),
  ];
  context.output.table(data, toRows, { nextCursor, damagedLines });
  if (damagedLines > 0) context.output.note(`Damaged lines, which are left out: ${damagedLines}`);
  if (nextCursor !== null) context.output.note(moreText(nextCursor));
}

const EXAMPLES = `
Examples:
  $ curt audit
  $ curt audit --all --json | jq '.data[] | select(.action == "block.add")'`;
