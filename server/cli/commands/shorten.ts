import { existsSync } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import type { CreatedLinkRecord, LinkRecord } from '../../../shared/links/link-record.ts';
import type { ShortenRequest } from '../../../shared/links/shorten-request.ts';
import { readTypedUrl } from '../../../shared/links/url-in-text.ts';
import { type Connection, connect, type ServerOptions } from '../api/connect.ts';
import { checkToken } from '../api/token-source.ts';
import { CliError, succeed } from '../cli-error.ts';
import { type CurtCommand, parseHeader, withoutUndefined } from '../command.ts';
import type { Context } from '../context.ts';
import { type LinkOptions, toFields, withLinkOptions } from './link-options.ts';

type ShortenOptions = LinkOptions &
  ServerOptions & { qr?: string; idempotencyKey?: string; reuse?: true };

export function addShorten(program: CurtCommand, context: Context): void {
  const command = program
    .command('shorten')
    .description('create a short link and print it')
    .argument('<url>', 'URL to shorten');
  withLinkOptions(command)
    .serverOption()
    .option(
      '--reuse',
      'print the link that you have for this URL and these options, if there is one',
    )
    .option('--qr <file>', 'write the QR code of the short URL to a PNG file')
    .option(
      '--idempotency-key <key>',
      'repeating the command with this key and the same token creates no second link',
      parseHeader,
    )
    .examples(
      'curt shorten example.com/a/long/page',
      'curt shorten example.com --alias launch --expires-in 7d --tag news --tag 2030',
      'curt shorten example.com --password - --qr code.png',
    )
    .action((url: string, options: ShortenOptions) => shorten(context, url, options));
}

async function shorten(context: Context, url: string, options: ShortenOptions): Promise<void> {
  const { qr, idempotencyKey, reuse } = options;
  const connection = await connect(context, options);
  const token = connection.token && checkToken(connection.token);
  const fields = { ...(await toFields(options)), ...withoutUndefined({ reuse }) };
  const request = { originalUrl: readTypedUrl(url), ...fields } as ShortenRequest;
  if (qr !== undefined) {
    await assertWritable(qr);
    request.generateQR = true;
  }
  const { data } = succeed(await connection.client.shorten(request, { token, idempotencyKey }));
  if (token === undefined) await saveToken(context, connection, data.authToken);
  const [, qrCode] = data.qrCode?.split(',') ?? [];
  if (qr !== undefined && qrCode !== undefined) {
    await writeFile(qr, Buffer.from(qrCode, 'base64')).catch((error: Error) => {
      throw unwritable(qr, error, data);
    });
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
    throw unwritable(path, error as Error);
  }
}

function unwritable(path: string, error: Error, link?: CreatedLinkRecord): CliError {
  const created = link ? ` The link was created: ${link.shortUrl}` : '';
  const message = `${path} cannot be written: ${error.message}.${created}`;
  return new CliError('unwritable_file', message, link ? 'failed' : 'usage', {
    ...(link && { report: withoutToken(link) }),
  });
}

/** Without its token, nobody could edit the link. */
async function saveToken(
  { environment, output }: Context,
  { server, save }: Connection,
  token: string,
): Promise<void> {
  try {
    if (await save({ token })) {
      const path = environment.credentialsPath;
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

/** A record without the account's token: output ends up in logs. */
function withoutToken(record: CreatedLinkRecord): LinkRecord {
  const { authToken: _, newAuthToken: __, ...rest } = record;
  return rest;
}
