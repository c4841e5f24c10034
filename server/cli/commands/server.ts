import { resolve } from 'node:path';
import { isPostgresUrl } from '../../lib/settings.ts';
import { VERSION } from '../../lib/shipped-files.ts';
import type { CheckReport } from '../../store/tools/check.ts';
import { CliError, usageError } from '../cli-error.ts';
import type { CurtCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { withProgress, withSpinner } from '../terminal/prompts.ts';

export function addServer(program: CurtCommand, context: Context): void {
  program
    .command('serve')
    .description('start the server, with settings from the environment')
    .examples(
      'curt serve',
      'BASE_URL=https://s.example.com STORE_URL=file:///var/lib/curt curt serve',
    )
    .action(async () => {
      // @ts-expect-error: JavaScript without types, which starts the server once it is imported.
      await import('../../start.js');
    });

  program
    .command('migrate')
    .description('bring the tables of the PostgreSQL database to this version')
    .addHelpText(
      'after',
      '\nThe server does the same when it starts, if its role may create tables.',
    )
    .examples('STORE_URL=postgres://owner:password@db.example.com/curt curt migrate')
    .action(() => migrate(context));

  program
    .command('backup')
    .description('save the data folder in an archive, also while the server runs')
    .argument('<file>', 'archive to write, such as curt.tar.gz')
    .option('--folder <folder>', 'the data folder (default: that of STORE_URL, or ./data)')
    .examples(
      'curt backup curt.tar.gz',
      'curt backup "/backups/curt-$(date -u +%Y%m%dT%H%M%SZ).tar.gz" --folder /var/lib/curt',
    )
    .action((file: string, { folder }: { folder?: string }) => runBackup(context, file, folder));

  program
    .command('restore')
    .description('restore a backup into a new or empty folder')
    .argument('<file>', 'archive that `curt backup` has written')
    .argument('<folder>', 'data folder to make')
    .examples(
      'curt restore curt.tar.gz data',
      'curt restore /backups/curt.tar.gz /var/lib/curt && systemctl start curt',
    )
    .action((file: string, folder: string) => runRestore(context, file, folder));

  program
    .command('check')
    .description('verify a data folder or database, and whether this version can use it')
    .addHelpText('after', '\nNothing is changed. Of a database, only its version is checked.')
    .argument('[folder]', 'the data folder (default: that of STORE_URL, or ./data)')
    .examples(
      'curt check',
      "curt check /var/lib/curt --json | jq '.report.problems // .data.problems'",
    )
    .action((folder: string | undefined) => check(context, folder));

  program
    .command('copy')
    .description('copy everything from one store to another, and compare both')
    .requiredOption('--from <url>', 'store to read, such as file:./data; stop its server first')
    .requiredOption('--to <url>', 'empty store to write, such as postgres://curt@localhost/curt')
    .addHelpText('after', COPY_HELP)
    .examples(
      'curt copy --from file:./data --to postgres://curt@localhost/curt',
      'curt copy --from postgres://curt@localhost/curt --to file:./data-copy',
    )
    .action((options: CopyOptions) => copy(context, options));
}

type CopyOptions = { from: string; to: string };

const COPY_HELP = `
An interrupted copy starts again when the command runs again. Other users can see the arguments of a
command: pass the password of a database in PGPASSWORD.`;

async function migrate(context: Context): Promise<void> {
  const { migrate: migrateTables } = await import('../../store/tools/open.ts');
  const applied = await withSpinner(context, 'Migrating the database', () =>
    migrateTables(context.environment.storeUrl),
  );
  const text =
    applied.length === 0 ? 'The tables are up to date.' : applied.map((name) => `Applied ${name}`);
  context.output.result({ applied }, text);
}

async function runBackup(context: Context, file: string, path: string | undefined) {
  const { backUp } = await import('../../store/tools/backup.ts');
  const { noteBackup } = await import('../../store/tools/new-folder.ts');
  const folder = await dataFolder(context, path);
  const now = Date.now();
  const report = await withProgress(context, `Saving ${folder}`, (onProgress) =>
    backUp(folder, resolve(file), { now, onProgress }),
  );
  const { damagedAuditLines } = report;
  const text = [
    `Wrote ${report.file}: ${report.bytes} bytes, SHA-256 ${report.sha256}`,
    ...(damagedAuditLines > 0 ? [`Damaged lines of the audit log: ${damagedAuditLines}`] : []),
  ];
  const [first] = report.damagedLines;
  if (!first) {
    await noteBackup(folder, now).catch(({ message }: Error) => {
      context.output.warn(
        `The backup is complete, but the server does not learn of it: ${message}`,
      );
    });
    return context.output.result(report, text);
  }
  context.output.note(text);
  throw new CliError(
    'damaged',
    `The backup is as damaged as ${folder} itself: ${first.name}, line ${first.line}. Keep older backups, and run \`curt check\`.`,
    'damaged',
    { report },
  );
}

async function runRestore(context: Context, file: string, folder: string): Promise<void> {
  const { restore } = await import('../../store/tools/restore.ts');
  const report = await withProgress(context, `Restoring ${file}`, (onProgress) =>
    restore(resolve(file), resolve(folder), { now: Date.now(), onProgress }),
  );
  context.output.result(
    report,
    `Restored ${report.folder} as of ${report.created}. Links: ${report.links}`,
  );
}

async function check(context: Context, path: string | undefined): Promise<void> {
  if (path === undefined && isPostgresUrl(context.environment.storeUrl)) {
    return checkTables(context, context.environment.storeUrl);
  }
  const { checkFolder } = await import('../../store/tools/check.ts');
  const folder = await dataFolder(context, path);
  const report = await withSpinner(context, `Checking ${folder}`, () =>
    checkFolder(folder, Date.now()),
  );
  if (report.isHealthy) return context.output.result(report, toLines(report));
  context.output.note(toLines(report));
  const count = report.problems.filter(({ severity }) => severity === 'damage').length;
  throw new CliError('damaged', `${folder} is damaged. Problems: ${count}`, 'damaged', { report });
}

async function checkTables(context: Context, url: string): Promise<void> {
  const { checkDatabase } = await import('../../store/tools/open.ts');
  const migrations = await withSpinner(context, 'Checking the database', () => checkDatabase(url));
  const text =
    migrations.length === 0
      ? `The tables are those of Curt ${VERSION}.`
      : `Curt ${VERSION} can use the database, and changes its tables when it starts (${migrations.join(', ')}). ${BACK_UP}`;
  context.output.result({ migrations }, text);
}

const BACK_UP = 'After that, older versions refuse it: back up first.';

function toLines(report: CheckReport): string[] {
  const problems = report.problems.flatMap(({ severity, byte, problem, repair }) => {
    const place = byte === null ? '' : ` (byte ${byte})`;
    return [`${severity}${place}: ${problem}`, `  ${repair}`];
  });
  const bytes = report.files.reduce((sum, file) => sum + file.bytes, 0);
  return [
    ...problems,
    ...(report.omittedProblems > 0 ? [`and ${report.omittedProblems} more`] : []),
    ...(report.inUse ? ['A server is using the folder.'] : []),
    `${report.folder}: links: ${report.links}, files: ${report.files.length}, bytes: ${bytes}`,
    ...(report.isHealthy ? verdictOf(report) : []),
  ];
}

function verdictOf({ problems, format, formatOfServer }: CheckReport): string[] {
  return [
    problems.length === 0 ? 'Every line is intact.' : 'The server starts with all data.',
    format === formatOfServer
      ? `Its format is that of Curt ${VERSION}.`
      : `Curt ${VERSION} can use it, and changes its format from ${format} to ${formatOfServer} when it starts. ${BACK_UP}`,
  ];
}

/** The data folder that a command was given, or that of `STORE_URL`. */
async function dataFolder({ environment }: Context, path: string | undefined): Promise<string> {
  if (path !== undefined) return resolve(path);
  const { folderOf } = await import('../../store/store-url.ts');
  return folderOf(environment.storeUrl);
}

/** The message does not have the URL, which may contain a password. */
function assertStore(option: string, url: string): void {
  if (/^(file:|postgres(ql)?:\/\/)./.test(url)) return;
  throw usageError(`${option} must begin with file: or postgres://, such as file:./data.`);
}

async function copy(context: Context, { from, to }: CopyOptions): Promise<void> {
  assertStore('--from', from);
  assertStore('--to', to);
  const { copyStore } = await import('../../store/tools/copy.ts');
  const report = await withProgress(context, 'Copying', (onProgress) =>
    copyStore(from, to, { now: Date.now(), onProgress }),
  );

  context.output.result(
    report,
    `Links: ${report.links}, accounts: ${report.accounts}, records: ${report.records}. Both stores have the same content.`,
  );
}
