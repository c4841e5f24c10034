import { resolve } from 'node:path';
import type { CheckReport } from '../../store/tools/check.ts';
import { CliError } from '../cli-error.ts';
import type { CurtCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { withProgress, withSpinner } from '../terminal/progress.ts';

export function addDataFolder(program: CurtCommand, context: Context): void {
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
    .description('verify every line of a data folder, without changing it')
    .argument('[folder]', 'the data folder (default: that of STORE_URL, or ./data)')
    .examples(
      'curt check',
      "curt check /var/lib/curt --json | jq '.report.problems // .data.problems'",
    )
    .action((folder: string | undefined) => check(context, folder));
}

async function runBackup(context: Context, file: string, path: string | undefined) {
  const { backUp } = await import('../../store/tools/backup.ts');
  const { noteBackup } = await import('../../store/tools/note-backup.ts');
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
    ...(report.isHealthy ? [verdictOf(report)] : []),
  ];
}

function verdictOf({ problems }: CheckReport): string {
  return problems.length === 0 ? 'Every line is intact.' : 'The server starts with all data.';
}

/** The data folder that a command was given, or that of `STORE_URL`. */
async function dataFolder({ environment }: Context, path: string | undefined): Promise<string> {
  if (path !== undefined) return resolve(path);
  const { folderOf } = await import('../../store/store-url.ts');
  return folderOf(environment.storeUrl);
}
