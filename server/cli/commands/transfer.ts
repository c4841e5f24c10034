import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { arrayBuffer } from 'node:stream/consumers';
import { isatty } from 'node:tty';
import type { Result } from '../../../shared/client/result.ts';
import { nameOfPart, splitExport } from '../../../shared/links/exported-file.ts';
import { reportToCsv } from '../../../shared/links/import-report.ts';
import type { ImportColumn, ImportField, ImportReport } from '../../../shared/links/transfer.ts';
import {
  DATE_ORDERS,
  ENCODINGS,
  type Encoding,
  EXPORT_FORMATS,
  FILE_FORMATS,
  type FileFormat,
  IMPORT_SOURCES,
  type ImportSource,
  SOURCE_NAMES,
} from '../../../shared/links/transfer-formats.ts';
import { connectWithToken, type ServerOptions } from '../api/connect.ts';
import { CliError, succeed, usageError } from '../cli-error.ts';
import type { CurtCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { printableFile, toTable } from '../terminal/output.ts';
import { withSpinner } from '../terminal/prompts.ts';
import { writePrivateFile } from '../write-private-file.ts';
import { changeAll } from './bulk.ts';
import { type FilterOptions, toFilter, withFilterOptions } from './which-links.ts';

export type ExportOptions = ServerOptions & { format?: FileFormat; secrets?: boolean };
type ImportOptions = ServerOptions & {
  from?: ImportSource;
  map?: string[];
  dates?: (typeof DATE_ORDERS)[number];
  encoding?: Encoding;
  update?: boolean;
  report?: string;
  dryRun?: boolean;
  undo?: boolean;
  yes?: boolean;
};

export function addTransfer(program: CurtCommand, context: Context): void {
  const exportCommand = program
    .command('export')
    .description('save your links in a file, all or those that match')
    .argument('<file>', 'file to write, or "-" for standard output');
  withFilterOptions(withExportOptions(exportCommand))
    .examples(
      'curt export links.json',
      'curt export sale.csv --tag sale',
      'curt export links.csv',
      'curt export - --secrets | gpg --encrypt --recipient me > links.json.gpg',
    )
    .action(async (file: string, options: ExportOptions & FilterOptions) => {
      const { client } = await connectWithToken(context, options);
      const filter = toFilter(options);
      await exportTo(context, file, options, (query) =>
        client.exportLinks({ ...query, ...filter }),
      );
    });

  program
    .command('import')
    .description('add the links of a file from Curt or another service')
    .argument('[file]', 'JSON, CSV, bookmarks or a list of URLs; "-" for standard input')
    .serverOption()
    .choiceOption(
      '--from <service>',
      'where the file comes from (default: detected)',
      IMPORT_SOURCES,
    )
    .option(
      '--map <column=field>',
      'what a column means, or nothing to ignore it; repeat it for more',
      (pair: string, before: string[] = []) => [...before, pair],
    )
    .choiceOption('--dates <order>', 'what comes first in dates such as 01/02/2026', DATE_ORDERS)
    .choiceOption('--encoding <name>', 'encoding of the file (default: detected)', ENCODINGS)
    .option('--update', 'change links that are there already')
    .option('--report <file.csv>', 'save the old and the new short URL of each row')
    .option('--dry-run', 'report what would happen, without importing anything')
    .option('--undo', 'delete the links that the latest import added, for a day')
    .option('--yes', 'do not ask before an undo')
    .examples(
      'curt import links.csv --dry-run',
      'curt import links.csv --map "Short link=shortUrl" --map "Notes="',
      'curt import kutt.json --report moved.csv',
      'ssh old-server cat links.csv | curt import -',
      'curt import --undo',
    )
    .action(async (file: string | undefined, options: ImportOptions) => {
      if ((file === undefined) !== (options.undo === true)) {
        throw usageError(
          'Name a file, or "-" for standard input, or undo the latest import with --undo.',
        );
      }
      await (file === undefined
        ? undoImport(context, options)
        : importFrom(context, file, options));
    });
}

/** Adds the options of every command that exports links. */
export function withExportOptions(command: CurtCommand): CurtCommand {
  return command
    .serverOption()
    .choiceOption(
      '--format <format>',
      'format (default: by the name of the file, or json)',
      FILE_FORMATS,
    )
    .option('--secrets', 'with the hashes of passwords');
}

/** Saves in a file what a request returns. */
export async function exportTo(
  context: Context,
  path: string,
  options: ExportOptions,
  request: (query: { format: FileFormat; secrets: boolean }) => Promise<Result<Blob>>,
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
  // A device or a pipe must stay what it is.
  if (await isSpecial(path)) {
    await orUnwritable(path, writeSpecial(path, data.stream()));
    return context.output.result({ file: path, format, bytes: data.size }, `Wrote ${path}.`);
  }
  const ownFormat = EXPORT_FORMATS.find((own) => own === format);
  const text = await data.text();
  const parts = ownFormat ? splitExport(text, ownFormat) : [text];
  const files = parts.map((part, index) => ({
    part,
    name: parts.length === 1 ? path : nameOfPart(path, index + 1),
  }));
  for (const { part, name } of files) {
    // Links can be confidential.
    await orUnwritable(name, writePrivateFile(name, new Blob([part]).stream()));
  }
  const names = files.map(({ name }) => name);
  const written =
    names.length === 1 ? path : `${names.join(', ')}, each as much as an import takes`;
  context.output.result(
    { file: path, files: names, format, bytes: data.size },
    `Wrote ${written}.`,
  );
}

async function orUnwritable(path: string, writing: Promise<void>): Promise<void> {
  await writing.catch((error: Error) => {
    throw usageError(`${path} cannot be written: ${error.message}.`, 'unwritable_file');
  });
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
  const { client } = await connectWithToken(context, options);
  const file = await readInput(path);
  const { from, map = [], dates, encoding, update = false, report, dryRun = false } = options;
  const mapping = map.length > 0 ? JSON.stringify(toMapping(map)) : undefined;
  const query = { from, dates, encoding, update, dryRun, mapping };
  const { data } = succeed(
    await withSpinner(context, dryRun ? 'Checking links' : 'Importing links', () =>
      client.importLinks({ file, ...query }),
    ),
  );
  if (report !== undefined) {
    await writeFile(report, reportToCsv(data.results)).catch((error: Error) => {
      throw usageError(`${report} cannot be written: ${error.message}.`, 'unwritable_file');
    });
  }
  if (data.failed === 0) return context.output.result(data, toLines(data));
  // The report has the reasons. The exit code says that not everything was imported.
  context.output.note(toLines(data));
  throw new CliError('rows_failed', `${data.failed} of ${data.rows} rows failed.`, 'failed', {
    report: data,
  });
}

async function readInput(path: string): Promise<Blob> {
  if (path !== '-') {
    const content = await readFile(path).catch((error: Error) => {
      throw usageError(`${path} cannot be read: ${error.message}.`, 'unreadable_file');
    });
    return new Blob([content]);
  }
  if (process.stdin.isTTY) {
    throw usageError('"-" reads a file from a pipe: cat links.csv | curt import -');
  }
  return new Blob([await arrayBuffer(process.stdin)]);
}

async function undoImport(context: Context, options: ImportOptions): Promise<void> {
  const { client } = await connectWithToken(context, options);
  const { data: latest } = succeed(await client.getImport());
  if (latest?.isRunning) throw new CliError('import_running', 'The import is still running.');
  const { links = 0, edited = 0 } = latest?.undo ?? {};
  if (!latest || links === 0) {
    throw new CliError('nothing_to_undo', 'No import of the last day has links to delete.');
  }
  const since = edited > 0 ? ` Edited since: ${edited}.` : '';
  const question = `Links of the latest import: ${links}.${since} Delete them?`;
  await changeAll(context, { ...options, import: latest.importId }, { isDeleted: true }, question);
}

/** `Short link=shortUrl`. The server says which fields there are. */
function toMapping(pairs: string[]) {
  const entries = pairs.map((pair): [column: string, field: ImportField | null] => {
    const at = pair.lastIndexOf('=');
    if (at < 1) throw usageError(`--map needs a column and a field, such as "Link=shortUrl".`);
    const field = pair.slice(at + 1).trim();
    return [pair.slice(0, at).trim(), field === '' ? null : (field as ImportField)];
  });
  return Object.fromEntries(entries);
}

function toLines(report: ImportReport) {
  const { dryRun, imported, renamed, updated, duplicates, failed, results } = report;
  const summary = [
    `${dryRun ? 'would be imported' : 'imported'}: ${imported}`,
    `with another alias: ${renamed}`,
    ...(updated > 0 ? [`changed: ${updated}`] : []),
    `there already: ${duplicates}`,
    `failed: ${failed}`,
  ].join(', ');
  const noted = results.filter(({ message }) => message !== '');
  const rows = noted.map(({ row, status, alias, message }) => {
    return [String(row), status, alias ?? '', message];
  });
  const table = rows.length > 0 ? toTable([['ROW', 'STATUS', 'ALIAS', 'MESSAGE'], ...rows]) : [];
  return [...aboutColumns(report), ...table, summary];
}

const NOTES = {
  same_field: 'several columns can be this field',
  date_order: 'see --dates',
  utc: 'UTC',
  pauses: 'may protect links, which are paused',
  private: 'only owners see it',
} as const satisfies Record<ImportColumn['notes'][number], string>;

/** What a table was taken for, as `--map` can change it. */
function aboutColumns({ dryRun, source, signs, columns }: ImportReport): string[] {
  if (!dryRun) return [];
  const by = signs.length > 0 ? `, by ${signs.join(', ')}` : '';
  const meanings = columns.map(({ name, field, notes }) => {
    const about =
      notes.length > 0 ? ` (${notes.map((note) => NOTES[note] ?? note).join(', ')})` : '';
    return `${name} → ${field ?? 'ignored'}${about}`;
  });
  return [
    `taken for: ${SOURCE_NAMES[source] || source}${by}`,
    `columns: ${meanings.join('; ')}`,
    '',
  ];
}
