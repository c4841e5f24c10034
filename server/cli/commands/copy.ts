import { usageError } from '../cli-error.ts';
import type { CurtCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { withProgress } from '../terminal/progress.ts';

export function addCopy(program: CurtCommand, context: Context): void {
  program
    .command('copy')
    .description('copy everything from one store to another, and compare both')
    .requiredOption('--from <url>', 'store to read, such as file:./data; stop its server first')
    .requiredOption('--to <url>', 'empty store to write, such as postgres://curt@localhost/curt')
    .addHelpText('after', HELP)
    .examples(
      'curt copy --from file:./data --to postgres://curt@localhost/curt',
      'curt copy --from postgres://curt@localhost/curt --to file:./data-copy',
    )
    .action(async (options: { from: string; to: string }) => {
      assertStore('--from', options.from);
      assertStore('--to', options.to);
      await run(context, options);
    });
}

/** The message does not have the URL, which may contain a password. */
function assertStore(option: string, url: string): void {
  if (/^(file:|postgres(ql)?:\/\/)./.test(url)) return;
  throw usageError(`${option} must begin with file: or postgres://, such as file:./data.`);
}

async function run(context: Context, { from, to }: { from: string; to: string }): Promise<void> {
  const { copyStore } = await import('../../store/tools/copy.ts');
  const report = await withProgress(context, 'Copying', (onProgress) =>
    copyStore(from, to, { now: Date.now(), onProgress }),
  );

  context.output.result(
    report,
    `Links: ${report.links}, accounts: ${report.accounts}, records: ${report.records}. Both stores have the same content.`,
  );
}

const HELP = `
An interrupted copy starts again when the command runs again. Other users can see the arguments of a
command: pass the password of a database in PGPASSWORD.`;
