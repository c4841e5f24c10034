import type { Command } from 'commander';
import { succeed } from '../../cli-error.ts';
import type { Context } from '../../context.ts';
import { withServer } from '../../server/server-option.ts';
import { withSpinner } from '../../terminal/progress.ts';
import { type ExportOptions, toFormat, withExportOptions } from '../links/export.ts';
import { writeFile } from '../write-file.ts';
import { connectAsAdmin } from './connect.ts';

export function addAccountExport(account: Command, context: Context): void {
  const command = account
    .command('export')
    .description('save all links of an account in a file')
    .argument('<id>', 'ID of the account')
    .argument('<file>', 'file to write, or "-" for standard output');
  withExportOptions(withServer(command))
    .addHelpText('after', EXAMPLES)
    .action((id: string, file: string, options: ExportOptions) => run(context, id, file, options));
}

async function run(context: Context, id: string, path: string, options: ExportOptions) {
  const { client } = await connectAsAdmin(context, options);
  const format = toFormat(path, options);
  const secrets = options.secrets ?? false;
  const { data } = succeed(
    await withSpinner(context, 'Exporting links', () =>
      client.exportAccount(id, { format, secrets }),
    ),
  );
  await writeFile(path, data);
  if (path === '-') return;
  context.output.result({ file: path, format, bytes: data.size }, `Wrote ${path}.`);
}

const EXAMPLES = `
Examples:
  $ curt account export yuwL3dWsfxQotmv2 links.json`;
