import { openAsBlob } from 'node:fs';
import { type Command, Option } from 'commander';
import type { ImportReport, ImportSource } from '../../../../shared/links/transfer.ts';
import { CliError, succeed } from '../../cli-error.ts';
import type { Context } from '../../context.ts';
import type { ServerOptions } from '../../server/connection.ts';
import { withServer } from '../../server/server-option.ts';
import { withSpinner } from '../../terminal/progress.ts';
import { toTable } from '../../terminal/table.ts';

type ImportOptions = ServerOptions & { from?: ImportSource; dryRun?: boolean };

/** As in `IMPORT_SOURCES`, whose file takes long to load. */
const SOURCES: ImportSource[] = ['curt', 'kutt', 'shlink', 'yourls', 'bitly', 'csv'];

export function addImport(program: Command, context: Context): void {
  const command = program
    .command('import')
    .description('add the links of a file from Curt or another service')
    .argument('<file>', 'JSON or CSV file');
  withServer(command)
    .addOption(
      new Option('--from <service>', 'where the file comes from (default: csv or curt)').choices(
        SOURCES,
      ),
    )
    .option('--dry-run', 'report what would happen, without importing anything')
    .addHelpText('after', EXAMPLES)
    .action((file: string, options: ImportOptions) => run(context, file, options));
}

async function run(context: Context, path: string, options: ImportOptions): Promise<void> {
  const { connectWithToken } = await import('../../server/connection.ts');
  const { client, token } = await connectWithToken(context, options);
  const isTable = /\.(csv|tsv|txt)$/i.test(path);
  const from = options.from ?? (isTable ? 'csv' : 'curt');
  const type = isTable ? 'text/csv' : 'application/json';
  const file = await openAsBlob(path).catch((error: NodeJS.ErrnoException) => {
    throw new CliError('unreadable_file', `${path} cannot be read: ${error.message}.`, 'usage');
  });
  const dryRun = options.dryRun ?? false;
  const { data } = succeed(
    await withSpinner(context, dryRun ? 'Checking links' : 'Importing links', () =>
      client.importLinks(token, { from, file, type, dryRun }),
    ),
  );
  if (data.failed === 0) {
    context.output.result(data, toLines(data));
    return;
  }
  // The report has the reasons. The exit code says that not everything was imported.
  context.output.note(toLines(data));
  throw new CliError('rows_failed', `${data.failed} of ${data.rows} rows failed.`, 'failed', {
    report: data,
  });
}

function toLines({ dryRun, imported, renamed, duplicates, failed, results }: ImportReport) {
  const summary = [
    `${dryRun ? 'would be imported' : 'imported'}: ${imported}`,
    `with another alias: ${renamed}`,
    `there already: ${duplicates}`,
    `failed: ${failed}`,
  ].join(', ');
  const noted = results.filter(({ message }) => message !== '');
  if (noted.length === 0) return [summary];
  const rows = noted.map(({ row, status, alias, message }) => {
    return [String(row), status, alias ?? '', message];
  });
  return [...toTable([['ROW', 'STATUS', 'ALIAS', 'MESSAGE'], ...rows]), summary];
}

const EXAMPLES = `
Examples:
  $ curt import links.json --dry-run
  $ curt import kutt.json --from kutt
  $ curt import links.csv`;
