import type { Command } from 'commander';
import type { CheckReport } from '../../../store/folder-tools.ts';
import { CliError } from '../../cli-error.ts';
import type { Context } from '../../context.ts';
import { withSpinner } from '../../terminal/progress.ts';
import { dataFolder } from './data-folder.ts';

export function addCheck(program: Command, context: Context): void {
  program
    .command('check')
    .description('verify every line of a data folder, without changing it')
    .argument('[folder]', 'the data folder (default: that of STORE_URL, or ./data)')
    .addHelpText('after', EXAMPLES)
    .action((folder: string | undefined) => run(context, folder));
}

async function run(context: Context, path: string | undefined): Promise<void> {
  const { folderTools } = await import('../../../store/folder-tools.ts');
  const folder = await dataFolder(context, path);
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

const EXAMPLES = `
Examples:
  $ curt check
  $ curt check /var/lib/curt --json | jq '.report.problems // .data.problems'`;
