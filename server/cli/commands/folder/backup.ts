import { resolve } from 'node:path';
import type { Command } from 'commander';
import { CliError } from '../../cli-error.ts';
import type { Context } from '../../context.ts';
import { withProgress } from '../../terminal/progress.ts';
import { dataFolder } from './data-folder.ts';

export function addBackup(program: Command, context: Context): void {
  program
    .command('backup')
    .description('save the data folder in an archive, also while the server runs')
    .argument('<file>', 'archive to write, such as curt.tar.gz')
    .option('--folder <folder>', 'the data folder (default: that of STORE_URL, or ./data)')
    .addHelpText('after', EXAMPLES)
    .action((file: string, options: { folder?: string }) => run(context, file, options));
}

async function run(context: Context, file: string, options: { folder?: string }): Promise<void> {
  const { folderTools } = await import('../../../store/folder-tools.ts');
  const folder = await dataFolder(context, options.folder);
  const report = await withProgress(context, `Saving ${folder}`, (onProgress) =>
    folderTools.backUp(folder, resolve(file), { now: Date.now(), onProgress }),
  );
  const text = `Wrote ${report.file}: ${report.bytes} bytes, SHA-256 ${report.sha256}`;
  const [first] = report.damagedLines;
  if (!first) {
    context.output.result(report, text);
    return;
  }
  context.output.note(text);
  throw new CliError(
    'damaged',
    `The backup is as damaged as ${folder} itself: ${first.name}, line ${first.line}. Keep older backups, and run \`curt check\`.`,
    'damaged',
    { report },
  );
}

const EXAMPLES = `
Examples:
  $ curt backup curt.tar.gz
  $ curt backup "/backups/curt-$(date -u +%Y%m%dT%H%M%SZ).tar.gz" --folder /var/lib/curt`;
