import { open, readFile, stat } from 'node:fs/promises';
import { isatty } from 'node:tty';
import type { Result } from '../../../shared/client/result.ts';
import type { ExportFormat, ImportReport, ImportSource } from '../../../shared/links/transfer.ts';
import { connectWithToken, type ServerOptions } from '../api/connect.ts';
import { CliError, succeed, usageError } from '../cli-error.ts';
import type { CurtCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { toTable } from '../terminal/output.ts';
import { printableFile } from '../terminal/printable.ts';
import { withSpinner } from '../terminal/progress.ts';
import { writePrivateFile } from '../write-private-file.ts';

export type ExportOptions = ServerOptions & { format?: ExportFormat; secrets?: boolean };
type ImportOptions = ServerOptions & { from?: ImportSource; dryRun?: boolean };

/** As in `IMPORT_SOURCES`, whose file takes long to load. */
const SOURCES: ImportSource[] = ['curt', 'kutt', 'shlink', 'dub', 'yourls', 'bitly', 'csv'];
const FORMATS: ExportFormat[] = ['json', 'csv'];

export function addTransfer(program: CurtCommand, context: Context): void {
  const exportCommand = program
    .command('export')
    .description('save all your links in a file')
    .argument('<file>', 'file to write, or "-" for standard output');
  withExportOptions(exportCommand)
    .examples(
      'curt export links.json',
      'curt export links.csv',
      'curt export - --secrets | gpg --encrypt --recipient me > links.json.gpg',
    )
    .action(async (file: string, options: ExportOptions) => {
      const { client, token } = await connectWithToken(context, options);
      await exportTo(context, file, options, (query) => client.exportLinks(token, query));
    });

  program
    .command('import')
    .description('add the links of a file from Curt or another service')
    .argument('<file>', 'JSON or CSV file')
    .serverOption()
    .choiceOption(
      '--from <service>',
      'where the file comes from (default: found out by itself)',
      SOURCES,
    )
    .option('--dry-run', 'report what would happen, without importing anything')
    .examples(
      'curt import links.json --dry-run',
      'curt import kutt.json',
      'curt import links.csv --from bitly',
    )
    .action((file: string, options: ImportOptions) => importFrom(context, file, options));
}

/** The options of every command that exports links. */
export function withExportOptions(command: CurtCommand): CurtCommand {
  return command
    .serverOption()
    .choiceOption(
      '--format <format>',
      'format (default: by the name of the file, or json)',
      FORMATS,
    )
    .option('--secrets', 'with the hashes of passwords');
}

/** Saves in a file what a request returns. */
export async function exportTo(
  context: Context,
  path: string,
  options: ExportOptions,
  request: (query: { format: ExportFormat; secrets: boolean }) => Promise<Result<Blob>>,
): Promise<void> {
  const format = options.format ?? (/\.csv$/i.test(path) ? 'csv' : 'json');
  const { data } = succeed(
    await withSpinner(context, 'Exporting links', () =>
      request({ format, secrets: options.secrets ?? false }),
    ),
  );
  if (path === '-' || path === '/dev/stdout') {
    return context.output.file(data.stream());
  }
  // Links can be confidential. A device or a pipe must stay what it is.
  const write = (await isSpecial(path)) ? writeSpecial : writePrivateFile;
  await write(path, data.stream()).catch((error: Error) => {
    throw usageError(`${path} cannot be written: ${error.message}.`, 'unwritable_file');
  });
  context.output.result({ file: path, format, bytes: data.size }, `Wrote ${path}.`);
}

/** A stream of this process is one also where it leads to a file. */
async function isSpecial(path: string): Promise<boolean> {
  if (/^\/dev\/(stderr|fd\/\d+)$/.test(path)) return true;
  const stats = await stat(path).catch(() => undefined);
  return stats?.isFile() === false;
}

async function writeSpecial(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  await using file = await open(path, 'w');
  await file.writeFile(isatty(file.fd) ? printableFile(content) : content);
}

async function importFrom(context: Context, path: string, options: ImportOptions): Promise<void> {
  const { client, token } = await connectWithToken(context, options);
  const content = await readFile(path).catch((error: Error) => {
    throw usageError(`${path} cannot be read: ${error.message}.`, 'unreadable_file');
  });
  const file = new Blob([content]);
  const { from, dryRun = false } = options;
  const { data } = succeed(
    await withSpinner(context, dryRun ? 'Checking links' : 'Importing links', () =>
      client.importLinks(token, { from, file, dryRun }),
    ),
  );
  if (data.failed === 0) return context.output.result(data, toLines(data));
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
