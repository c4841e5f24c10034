import { existsSync } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { LinkRecord } from '../../../../shared/links/link-record.ts';
import type { ShortenRequest } from '../../../../shared/links/shorten-request.ts';
import { CliError, succeed } from '../../cli-error.ts';
import type { Context } from '../../context.ts';
import type { ServerOptions } from '../../server/connection.ts';
import { withServer } from '../../server/server-option.ts';
import { type LinkOptions, toFields, withLinkOptions } from './link-options.ts';
import { withoutToken } from './link-output.ts';

type ShortenOptions = LinkOptions & ServerOptions & { qr?: string; idempotencyKey?: string };

export function addShorten(program: Command, context: Context): void {
  const command = program
    .command('shorten')
    .description('create a short link and print it')
    .argument('<url>', 'URL to shorten');
  withServer(withLinkOptions(command))
    .option('--qr <file>', 'write the QR code of the short URL to a PNG file')
    .option('--idempotency-key <key>', 'repeating the command with this key creates no second link')
    .addHelpText('after', EXAMPLES)
    .action((url: string, options: ShortenOptions) => run(context, url, options));
}

async function run(context: Context, url: string, options: ShortenOptions): Promise<void> {
  const { connect } = await import('../../server/connection.ts');
  const { checkToken } = await import('../../server/given-token.ts');
  const { client, server, token: given, save } = await connect(context, options);
  const token = given && checkToken(given);
  const request = { originalUrl: url, ...(await toFields(options)) } as ShortenRequest;
  if (options.qr !== undefined) {
    await assertWritable(options.qr);
    request.generateQR = true;
  }
  const { data } = succeed(
    await client.shorten(request, { token, idempotencyKey: options.idempotencyKey }),
  );
  if (token === undefined) await keepToken(context, server, data.authToken, save);
  const [, qrCode] = data.qrCode?.split(',') ?? [];
  if (options.qr !== undefined && qrCode !== undefined) {
    try {
      await writeFile(options.qr, Buffer.from(qrCode, 'base64'));
    } catch (error) {
      throw unwritable(options.qr, error, data);
    }
  }
  context.output.result(withoutToken(data), data.shortUrl);
}

/** Before the link is created, because nobody repeats a command that has created one. */
async function assertWritable(path: string): Promise<void> {
  try {
    const isNew = !existsSync(path);
    const file = await open(path, 'a');
    await file.close();
    if (isNew) await rm(path);
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown, link?: LinkRecord): CliError {
  const created = link ? ` The link was created: ${link.shortUrl}` : '';
  const message = `${path} cannot be written: ${(error as Error).message}.${created}`;
  return new CliError('unwritable_file', message, link ? 'failed' : 'usage', {
    ...(link && { report: withoutToken(link) }),
  });
}

/** Without its token, nobody could edit the link. */
async function keepToken(
  { environment, output }: Context,
  server: string,
  token: string,
  save: (tokens: { token: string }) => Promise<boolean>,
): Promise<void> {
  try {
    const path = environment.credentialsPath;
    if (await save({ token })) {
      output.note(`${server} created an account for you. Its token is in ${path}.`);
    } else {
      output.warn(
        `${server} created an account for this link, but another command has stored the token of another account meanwhile. Keep this one: ${token}`,
      );
    }
  } catch (error) {
    output.warn(
      `The token of your new account could not be stored: ${(error as Error).message}. Keep it: ${token}`,
    );
  }
}

const EXAMPLES = `
Examples:
  $ curt shorten example.com/a/long/page
  $ curt shorten example.com --alias launch --expires-in 7d --tag news --tag 2030
  $ curt shorten example.com --password - --qr code.png`;
