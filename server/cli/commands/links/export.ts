import { type Command, Option } from 'commander';
import type { ExportFormat } from '../../../../shared/links/transfer.ts';
import { succeed } from '../../cli-error.ts';
import type { Context } from '../../context.ts';
import type { ServerOptions } from '../../server/connection.ts';
import { withServer } from '../../server/server-option.ts';
import { withSpinner } from '../../terminal/progress.ts';
import { writeFile } from '../write-file.ts';

export type ExportOptions = ServerOptions & { format?: ExportFormat; secrets?: boolean };

export function addExport(program: Command, context: Context): void {
  const command = program
    .command('export')
    .description('save all your links in a file')
    .argument('<file>', 'file to write, or "-" for standard output');
  withExportOptions(withServer(command))
    .addHelpText('after', EXAMPLES)
    .action((file: string, options: ExportOptions) => run(context, file, options));
}

/** The options of every command that exports links. */
export function withExportOptions(command: Command): Command {
  const formats = ['json', 'csv'] satisfies ExportFormat[];
  return command
    .addOption(
      new Option('--format <format>', 'format (default: by the name of the file, or json)').choices(
        formats,
      ),
    )
    .option('--secrets', 'with the hashes of passwords');
}

export function toFormat(path: string, { format }: ExportOptions): ExportFormat {
  return format ?? (/\.csv$/i.test(path) ? 'csv' : 'json');
}

async function run(context: Context, path: string, options: ExportOptions): Promise<void> {
  const { connectWithToken } = await import('../../server/connection.ts');
  const { client, token } = await connectWithToken(context, options);
  const format = toFormat(path, options);
  const secrets = options.secrets ?? false;
  const { data } = succeed(
    await withSpinner(context, 'Exporting links', () =>
      client.exportLinks(token, { format, secrets }),
    ),
  );
  await writeFile(path, data);
  if (path === '-') return;
  context.output.result({ file: path, format, bytes: data.size }, `Wrote ${path}.`);
}

const EXAMPLES = `
Examples:
  $ curt export links.json
  $ curt export links.csv
  $ curt export - --secrets | gpg --encrypt --recipient me > links.json.gpg`;
