import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import type { ExportFormat } from '../../../../shared/links/transfer.ts';
import { succeed } from '../../cli-error.ts';
import type { Context } from '../../context.ts';
import type { ServerOptions } from '../../server/connection.ts';
import { withServer } from '../../server/server-option.ts';
import { withSpinner } from '../../terminal/progress.ts';

type ExportOptions = ServerOptions & { format?: ExportFormat; secrets?: boolean };

export function addExport(program: Command, context: Context): void {
  const command = program
    .command('export')
    .description('save all your links in a file')
    .argument('<file>', 'file to write, or "-" for standard output');
  withServer(command)
    .addOption(
      new Option('--format <format>', 'format (default: by the name of the file, or json)').choices(
        ['json', 'csv'],
      ),
    )
    .option('--secrets', 'with the hashes of passwords (JSON only)')
    .addHelpText('after', EXAMPLES)
    .action((file: string, options: ExportOptions) => run(context, file, options));
}

async function run(context: Context, path: string, options: ExportOptions): Promise<void> {
  const { connectWithToken } = await import('../../server/connection.ts');
  const { client, token } = await connectWithToken(context, options);
  const format = options.format ?? (/\.csv$/i.test(path) ? 'csv' : 'json');
  const secrets = options.secrets ?? false;
  const { data } = succeed(
    await withSpinner(context, 'Exporting links', () =>
      client.exportLinks(token, { format, secrets }),
    ),
  );
  if (path === '-') {
    await pipeline(data.stream(), process.stdout, { end: false });
    return;
  }
  await writeWhole(path, data);
  context.output.result({ file: path, format, bytes: data.size }, `Wrote ${path}.`);
}

/** Writes a file that only its owner can read: links can be confidential. It is never half written. */
async function writeWhole(path: string, content: Blob): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    await pipeline(content.stream(), file.createWriteStream({ flush: true }));
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

const EXAMPLES = `
Examples:
  $ curt export links.json
  $ curt export links.csv
  $ curt export - --secrets | gpg --encrypt --recipient me > links.json.gpg`;
