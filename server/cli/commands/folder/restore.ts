import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { withProgress } from '../../terminal/progress.ts';

export function addRestore(program: Command, context: Context): void {
  program
    .command('restore')
    .description('restore a backup into a new or empty folder')
    .argument('<file>', 'archive that `curt backup` has written')
    .argument('<folder>', 'data folder to make')
    .addHelpText('after', EXAMPLES)
    .action((file: string, folder: string) => run(context, file, folder));
}

async function run(context: Context, file: string, folder: string): Promise<void> {
  const { folderTools } = await import('../../../store/folder-tools.ts');
  const report = await withProgress(context, `Restoring ${file}`, (onProgress) =>
    folderTools.restore(resolve(file), resolve(folder), { now: Date.now(), onProgress }),
  );
  context.output.result(
    report,
    `Restored ${report.folder} as of ${report.created}. Links: ${report.links}`,
  );
}

const EXAMPLES = `
Examples:
  $ curt restore curt.tar.gz data
  $ curt restore /backups/curt.tar.gz /var/lib/curt && systemctl start curt`;
