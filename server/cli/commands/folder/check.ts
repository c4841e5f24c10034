import type { Command } from 'commander';
import type { CheckReport, FormatReport } from '../../../store/folder-tools.ts';
import { CliError } from '../../cli-error.ts';
import type { Context } from '../../context.ts';
import { withSpinner } from '../../terminal/progress.ts';
import { dataFolder } from './data-folder.ts';

export function addCheck(program: Command, context: Context): void {
  program
    .command('check')
    .description('verify every line of a data folder, without changing it')
    .argument('[folder]', 'the data folder (default: that of STORE_URL, or ./data)')
    .option('--upgrade', 'say what this version of Curt would do to the format of the data')
    .addHelpText('after', EXAMPLES)
    .action((folder: string | undefined, options: { upgrade?: boolean }) =>
      run(context, folder, options.upgrade ?? false),
    );
}

async function run(context: Context, path: string | undefined, isUpgrade: boolean): Promise<void> {
  const { folderTools } = await import('../../../store/folder-tools.ts');
  const folder = await dataFolder(context, path);
  if (isUpgrade) {
    printFormats(context, folderTools.listFormats(folder));
    return;
  }
  const report = await withSpinner(context, `Checking ${folder}`, () =>
    folderTools.check(folder, Date.now()),
  );
  if (report.isHealthy) {
    context.output.result(report, toLines(report));
    return;
  }
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

function printFormats({ output }: Context, report: FormatReport): void {
  const files = report.files.map(({ name, format }) => `${name}: format ${format ?? 'unknown'}`);
  if (report.canOpen) {
    const verdict = report.willChange
      ? `Format ${report.format} will be written. Take a backup first: older versions cannot read it.`
      : `Nothing will change: this version of Curt reads and writes format ${report.format}.`;
    output.result(report, [...files, verdict]);
    return;
  }
  output.note(files);
  throw new CliError(
    'unknown_format',
    `This version of Curt reads format ${report.format} only. It would not start, and change nothing. Start the version that wrote the files, or check the folder for damage with \`curt check\`.`,
    'damaged',
    { report },
  );
}

const EXAMPLES = `
Examples:
  $ curt check
  $ curt check /var/lib/curt --json | jq '.report.problems // .data.problems'
  $ curt check /var/lib/curt --upgrade`;
